package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every request with curl in the documents succeeds as it is written, with ids instead of the placeholders. */
@Needs(Program.CURL)
class GuideRequestsTest {
    private static final String INDENT = "    ";
    private static final int DEAD_LETTERS = 20;

    @RegisterExtension
    static final CliServer queen = new CliServer(
            Map.of("SPOOL_ENABLED", "true", "SPOOL_DIR", "target/spool-of-requests-" + ProcessHandle.current().pid(),
                    "QUEEN_ENCRYPTION_KEY", "0123456789abcdef".repeat(4)));

    static Stream<String> requests() throws IOException {
        List<String> requests = new ArrayList<>();
        for (Path page : GuideCommandsTest.pages()) {
            List<String> lines = Files.readAllLines(page);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).startsWith(INDENT + "curl ")) {
                    StringBuilder request = new StringBuilder(lines.get(i).strip());
                    // A payload may continue on the next lines.
                    while (request.chars().filter(c -> c == '\'').count() % 2 == 1) {
                        request.append(' ').append(lines.get(++i).strip());
                    }
                    requests.add(request.toString());
                }
            }
        }
        return requests.stream();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void theRequestSucceeds(String request) throws Exception {
        prepare();
        String command = withIds(request).replaceFirst("^curl ", "curl -sSf ").replace("localhost:6632",
                queen.url().substring("http://".length()));

        String response = run(command);

        assertThat(response).doesNotContain("\"success\":false", "failed\",\"error");
        if (request.contains("api/v1/push ")) {
            assertThat(response).contains("queued");
            assertThat(run(command)).as("the second time").contains("duplicate");
        }
    }

    @Test
    void theDocumentsContainRequests() throws IOException {
        assertThat(requests()).hasSizeGreaterThan(20);
    }

    private static void prepare() {
        queen.post("/api/v1/system/maintenance", "{\"enabled\":false}");
        queen.post("/api/v1/system/maintenance/pop", "{\"enabled\":false}");
        queen.run("queue", "delete", "orders", "--yes");
        queen.runWithInput("1\n".repeat(DEAD_LETTERS), "push", "orders", "-p", "customer-42").ok();
        String dead = queen.run("pop", "orders", "-p", "customer-42", "-g", "billing", "-n", "100", "-o", "ndjson").ok()
                .out();
        queen.runWithInput(dead, "ack", "--file", "-", "--status", "dlq", "--error", "timeout").ok();
    }

    private static String withIds(String request) {
        if (request.contains("api/v1/push ")) {
            return request;
        }
        for (String id : List.of("order-1", "order-2")) {
            queen.run("push", "orders", "{}", "-p", "customer-42", "--transaction-id", id).ok();
        }
        String partition = queen.run("partition", "list", "orders", "-o", "json").ok().json().get(0).get("partitionId")
                .asText();
        String lease = "";
        if (request.contains("leaseId") || request.contains("requiredLeases") || request.contains("LEASE-ID")) {
            lease = queen.run("pop", "orders", "-p", "customer-42", "-g", "billing", "-n", "10", "-o", "json").ok()
                    .json().findValue("leaseId").asText();
        }
        String redrive = !request.contains("redrives/ID")
                ? ""
                : queen.post("/api/v1/dlq/redrive", "{\"queue\":\"orders\",\"ratePerSecond\":1}").get("id").asText();
        String transaction = request.contains("/dlq/")
                ? queen.run("dlq", "list", "orders", "-o", "json").ok().json().get(0).get("transactionId").asText()
                : "order-1";
        return request.replace("\"partitionId\":\"…\"", "\"partitionId\":\"" + partition + '"')
                .replace("\"leaseId\":\"…\"", "\"leaseId\":\"" + lease + '"')
                .replace("\"requiredLeases\":[\"…\"]", "\"requiredLeases\":[\"" + lease + "\"]")
                .replace("LEASE-ID", lease).replace("PARTITION-ID", partition).replace("TRANSACTION-ID", transaction)
                .replace("redrives/ID", "redrives/" + redrive);
    }

    private static String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s\n%s", command, output).isZero();
        return output;
    }
}
