package io.queenmq.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Writes the results of a run as JSON. Unknown values are null. */
record BenchReport(Instant started, String url, boolean isOwnServer, String version, String postgresVersion,
        String disk, Machine machine, BenchOptions options, List<ScenarioResult> results) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    void writeTo(Path file) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("started", started.toString());
        root.put("url", url).put("ownServer", isOwnServer).put("quick", options.isQuick());
        root.put("seconds", options.seconds()).put("warmup", options.warmup());
        root.set("versions", text(text(JSON.createObjectNode(), "queen", version), "postgres", postgresVersion));
        ObjectNode facts = root.putObject("machine").put("cores", machine.cores()).put("memoryMiB",
                machine.memoryMiB());
        text(text(text(text(facts, "cpu", machine.cpu()), "system", machine.system()), "jdk", machine.jdk()), "disk",
                disk);
        var scenarios = root.putArray("scenarios");
        results.forEach(result -> write(scenarios.addObject(), result));
        JSON.writeValue(file.toFile(), root);
    }

    private static void write(ObjectNode node, ScenarioResult result) {
        node.put("scenario", result.scenario().name()).put("title", result.scenario().title());
        number(node, "seconds", result.seconds());
        node.put("messages", result.messages());
        number(node, "messagesPerSecond", result.messagesPerSecond());
        number(node, "requestsPerSecond", result.requestsPerSecond());
        node.put("latency", result.scenario().load().latency());
        number(node, "p50Ms", result.p50Ms());
        number(node, "p99Ms", result.p99Ms());
        number(node, "serverCpuMicrosPerMessage", result.serverCpuMicros());
        number(node, "postgresCpuMicrosPerMessage", result.postgresCpuMicros());
        number(node, "generatorCpuMicrosPerMessage", result.generatorCpuMicros());
        number(node, "commitsPerMessage", result.commitsPerMessage());
        node.put("errors", result.errors());
        result.firstErrors().forEach(node.putArray("firstErrors")::add);
    }

    private static ObjectNode text(ObjectNode node, String name, String value) {
        return node.put(name, value.isEmpty() ? null : value);
    }

    private static void number(ObjectNode node, String name, double value) {
        node.put(name, Double.isNaN(value) ? null : Math.rint(value * 1_000) / 1_000);
    }
}
