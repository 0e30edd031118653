package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.Numbers;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.operator.PartitionFilter;
import io.queenmq.client.operator.QueueDefinition;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.client.operator.RedriveRequest;
import io.queenmq.client.operator.SeekTarget;
import io.queenmq.client.wire.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every operator route of the server has a method in the client. */
class OperatorCallsTest {
    /** Routes without a method: messages (views), runners of streams, machine interfaces, cluster, aliases. */
    private static final Set<String> OTHERS = Set.of("POST /api/v1/push", "GET /api/v1/pop",
            "GET /api/v1/pop/queue/{queue}", "GET /api/v1/pop/queue/{queue}/partition/{partition}", "POST /api/v1/ack",
            "POST /api/v1/ack/batch", "POST /api/v1/transaction", "POST /api/v1/lease/{leaseId}/extend", "GET /metrics",
            "GET /metrics/prometheus", "GET /openapi.json", "GET /api/v1/login", "GET /api/v1/status/buffers",
            "GET /health/live", "GET /health/ready", "GET /internal/api/shared-state/stats",
            "GET /internal/api/inter-instance/stats", "POST /internal/api/notify",
            "GET /api/v1/resources/queues/{queue}/partitions", "GET /api/v1/status/queues/{queue}/messages",
            "GET /api/v1/system/maintenance/pop", "POST /streams/v1/queries", "POST /streams/v1/state/get",
            "POST /streams/v1/cycle");
    private static final String NAME = "x";
    private static final MessageFilter FILTER = MessageFilter.any().queue(NAME);
    private static final Map<Class<?>, Object> ARGUMENTS = Map.ofEntries(Map.entry(String.class, NAME),
            Map.entry(int.class, 1), Map.entry(long.class, 1L), Map.entry(Long.class, 1L),
            Map.entry(boolean.class, true), Map.entry(byte[].class, new byte[]{'1'}), Map.entry(List.class, List.of()),
            Map.entry(Duration.class, Duration.ZERO), Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(MessageFilter.class, FILTER), Map.entry(PartitionFilter.class, PartitionFilter.any()),
            Map.entry(QueueOptions.class, QueueOptions.of()),
            Map.entry(QueueDefinition.class, QueueDefinition.of(NAME)), Map.entry(SeekTarget.class, SeekTarget.end()),
            Map.entry(RedriveRequest.class, RedriveRequest.of(FILTER)));

    @RegisterExtension
    static final TestServer server = new TestServer();

    @Test
    void everyRouteForOperatorsIsCalled() throws Exception {
        List<String> asked = new ArrayList<>();
        try (StubServer stub = new StubServer().answering(400, "{\"error\":\"only listening\"}");
                Queen queen = Queen.connect(stub.url())) {
            callAll(queen.operator());
            stub.asked().forEach(each -> asked.add(each.line().replaceFirst("\\?.*", "")));
        }

        assertThat(routes()).isNotEmpty().filteredOn(route -> !OTHERS.contains(route))
                .allSatisfy(route -> assertThat(asked).as(route)
                        .anyMatch(line -> line.matches(route.replaceAll("\\{\\w+}", "(" + NAME + "|1)"))));
    }

    @Test
    void numbersAreJsonDocuments() {
        Numbers numbers = server.queen().operator().numbers();
        String queue = TestServer.newQueue();
        server.queen().queue(queue, String.class).push("1");

        assertThat(numbers.status(queue, null, null)).startsWith("{");
        assertThat(numbers.pushed(queue, "minute", null, Instant.now())).contains("\"dataPoints\"");
        assertThat(numbers.queues(1000, 0)).contains(queue);
        assertThat(numbers.queue(queue)).contains(queue);
        assertThat(numbers.operations(queue, null, null)).contains("\"series\"");
        assertThat(numbers.lag(queue, null, null)).startsWith("[");
        assertThat(numbers.waitingPops(queue, null, null)).contains("\"replicas\"");
        assertThat(numbers.removed(queue, null, null)).contains("\"totals\"");
        assertThat(numbers.servers(null, null)).startsWith("{");
        assertThat(numbers.machines(null, null)).startsWith("{");
        assertThat(numbers.postgres()).contains("\"tableSizes\"");
    }

    private static void callAll(Operator operator) throws ReflectiveOperationException {
        for (Method part : operator.getClass().getDeclaredMethods()) {
            if (isCall(part)) {
                Object answer = call(operator, part);
                for (Method each : answer == null ? new Method[0] : answer.getClass().getDeclaredMethods()) {
                    if (isCall(each)) {
                        call(answer, each);
                    }
                }
            }
        }
    }

    private static boolean isCall(Method method) {
        return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
                && !method.getName().equals("async");
    }

    /** Returns null if the request was sent; the server rejects everything. */
    private static Object call(Object target, Method method) throws ReflectiveOperationException {
        Object[] arguments = Arrays.stream(method.getParameterTypes()).map(type -> {
            assertThat(ARGUMENTS).as(method.toString()).containsKey(type);
            return ARGUMENTS.get(type);
        }).toArray();
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            return null;
        }
    }

    private static List<String> routes() throws IOException {
        List<String> routes = new ArrayList<>();
        try (InputStream document = URI.create(server.url() + "/openapi.json").toURL().openStream()) {
            JsonNode.parse(document.readAllBytes()).get("paths").fields().forEach((path, methods) -> methods.fields()
                    .keySet().forEach(method -> routes.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        }
        return routes;
    }
}
