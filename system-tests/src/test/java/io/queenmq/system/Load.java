package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Producers and consumers that continue during all failures. A producer without a response, with 503, or with a failed message
 * repeats its request until all messages are accepted, like the published clients; so its
 * messages must be stored once and in order.
 */
final class Load implements AutoCloseable {
    private static final int PRODUCERS = 4;
    private static final int CONSUMERS = 3;
    private static final String GROUP = "work";
    private static final Duration LEASE_TIME = Duration.ofSeconds(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(50);
    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(3);
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final String queue = "load-" + ProcessHandle.current().pid() + "-" + QUEUES.incrementAndGet();
    private final Supplier<QueenClient> server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> producing = new ArrayList<>();
    private final List<Future<?>> consuming = new ArrayList<>();
    /** The message ids that pushes returned, by message. */
    private final Map<String, String> accepted = new ConcurrentHashMap<>();
    /** Messages accepted while PostgreSQL was unavailable. If an earlier attempt stored the message, it has another id. */
    private final Set<String> buffered = ConcurrentHashMap.newKeySet();
    private final Map<String, List<String>> delivered = new ConcurrentHashMap<>();
    /** The times at which the acks were confirmed, by message. */
    private final Map<String, Long> acked = new ConcurrentHashMap<>();
    /** Messages whose acks were sent, with unknown outcome. */
    private final Set<String> ackedPerhaps = ConcurrentHashMap.newKeySet();
    private final Set<String> deliveredAfterAck = ConcurrentHashMap.newKeySet();
    private final List<String> surprises = new ArrayList<>();
    private volatile boolean isProducing = true;
    private volatile boolean isConsuming = true;

    private Load(Supplier<QueenClient> server) {
        this.server = server;
    }

    /** @param server returns the server for the next request; may return another server on each call */
    static Load start(Supplier<QueenClient> server) {
        Load load = new Load(server);
        server.get().configure(load.queue,
                Map.of("leaseTime", LEASE_TIME.toSeconds(), "retryLimit", 1_000, "retryDelay", 0));
        for (int i = 0; i < PRODUCERS; i++) {
            String partition = "partition-" + i;
            load.producing.add(load.threads.submit(() -> load.produce(partition)));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            load.consuming.add(load.threads.submit(load::consume));
        }
        return load;
    }

    private void produce(String partition) {
        for (int next = 0; isProducing;) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i <= next % 3; i++) {
                ids.add(Integer.toString(next + i));
            }
            JsonNode results = null;
            while (results == null) {
                Answer answer = tryCall(() -> server.get().push(queue, partition, ids));
                results = answer == null || answer.body().findValuesAsText("status").contains("failed")
                        ? null
                        : answer.body();
            }
            for (int i = 0; i < ids.size(); i++) {
                JsonNode result = results.path(i);
                String status = result.path("status").asText();
                if (!List.of("queued", "duplicate", "buffered").contains(status)) {
                    surprise("push: " + results);
                }
                if (status.equals("buffered")) {
                    buffered.add(partition + ":" + ids.get(i));
                }
                accepted.put(partition + ":" + ids.get(i), result.path("message_id").asText());
            }
            next += ids.size();
        }
    }

    private void consume() {
        while (isConsuming) {
            long askedNs = System.nanoTime();
            Answer popped = tryCall(() -> server.get().pop(queue, null, GROUP, "batch=20&wait=true&timeout=300"));
            if (popped == null || popped.messages().isEmpty()) {
                continue;
            }
            List<Message> messages = popped.messages();
            for (Message message : messages) {
                String key = message.partition() + ":" + message.transactionId();
                delivered.computeIfAbsent(message.partition(), _ -> Collections.synchronizedList(new ArrayList<>()))
                        .add(message.transactionId());
                if (acked.getOrDefault(key, Long.MAX_VALUE) < askedNs) {
                    deliveredAfterAck.add(key);
                }
            }
            Answer answer = tryCall(
                    () -> server.get().ack(GROUP, messages.stream().map(message -> message.ack("completed")).toList()));
            for (int i = 0; i < messages.size(); i++) {
                String key = messages.get(i).partition() + ":" + messages.get(i).transactionId();
                if (answer == null) {
                    ackedPerhaps.add(key);
                } else if (answer.body().path(i).path("success").asBoolean()) {
                    acked.putIfAbsent(key, System.nanoTime());
                }
            }
        }
    }

    /** The answer; null when there was none, or an honest "not now". */
    private Answer tryCall(Supplier<Answer> call) {
        try {
            Answer answer = call.get();
            if (answer.isOk()) {
                return answer;
            }
            if (answer.status() != 503) {
                surprise(answer.toString());
            }
        } catch (UncheckedIOException _) {
            // No server is running.
        }
        QueenProcess.pause(PAUSE_AFTER_FAILURE);
        return null;
    }

    private void surprise(String answer) {
        synchronized (surprises) {
            surprises.add(answer);
        }
    }

    int acceptedCount() {
        return accepted.size();
    }

    int bufferedCount() {
        return buffered.size();
    }

    /** Waits until this many more messages were accepted. */
    void awaitAccepted(int more) {
        int enough = accepted.size() + more;
        Await.until(more + " more messages are accepted", () -> accepted.size() >= enough);
    }

    /** Waits for the end of producers and consumers, then compares the stored and delivered messages with the promises. */
    void settleAndVerify() {
        isProducing = false;
        awaitAll(producing);
        long deadlineNs = System.nanoTime() + DRAINED_WITHIN.toNanos();
        while (!unfinished().isEmpty() && System.nanoTime() < deadlineNs) {
            QueenProcess.pause(Duration.ofMillis(100));
        }
        // A message whose ack got no response is delivered again if the ack was not applied.
        QueenProcess.pause(LEASE_TIME.multipliedBy(2));
        isConsuming = false;
        awaitAll(consuming);

        assertThat(surprises).as("answers that are neither success nor 503").isEmpty();
        Map<String, List<Message>> stored = readAll();
        for (int i = 0; i < PRODUCERS; i++) {
            String partition = "partition-" + i;
            List<String> ids = stored.getOrDefault(partition, List.of()).stream().map(Message::transactionId).toList();
            assertThat(ids).as("stored in %s: everything accepted, once, in the order it was sent", partition)
                    .isEqualTo(sequence(
                            accepted.keySet().stream().filter(key -> key.startsWith(partition + ":")).count()));
            assertThat(List.copyOf(new LinkedHashSet<>(delivered.getOrDefault(partition, List.of()))))
                    .as("first deliveries from %s", partition).isEqualTo(ids);
        }
        stored.forEach((partition, messages) -> messages.forEach(message -> {
            String key = partition + ":" + message.transactionId();
            if (!buffered.contains(key)) {
                assertThat(message.id()).isEqualTo(accepted.get(key));
            }
            accepted.put(key, message.id());
        }));
        assertThat(unfinished()).as("accepted, but not acknowledged to the end").isEmpty();
        assertThat(deliveredAfterAck).as("delivered although the ack was accepted").isEmpty();
        duplicatesAreRecognized();
    }

    private Set<String> unfinished() {
        Set<String> unfinished = new TreeSet<>(accepted.keySet());
        unfinished.removeAll(acked.keySet());
        unfinished.removeAll(ackedPerhaps);
        return unfinished;
    }

    private static List<String> sequence(long count) {
        List<String> sequence = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sequence.add(Integer.toString(i));
        }
        return sequence;
    }

    /** Everything there is, partition by partition, as a group sees it that was not there before. */
    private Map<String, List<Message>> readAll() {
        Map<String, List<Message>> all = new HashMap<>();
        List<Message> messages;
        int count = 0;
        long deadlineNs = System.nanoTime() + DRAINED_WITHIN.toNanos();
        // While PostgreSQL cannot be reached there is nothing either, so an empty answer does not mean that this is all.
        do {
            messages = server.get().pop(queue, null, "audit", "batch=1000&partitions=10&autoAck=true").messages();
            messages.forEach(message -> all.computeIfAbsent(message.partition(), _ -> new ArrayList<>()).add(message));
            count += messages.size();
        } while (!messages.isEmpty() || count < accepted.size() && System.nanoTime() < deadlineNs);
        return all;
    }

    private void duplicatesAreRecognized() {
        for (int i = 0; i < PRODUCERS; i++) {
            String partition = "partition-" + i;
            List<String> ids = accepted.keySet().stream().filter(key -> key.startsWith(partition + ":"))
                    .map(key -> key.substring(partition.length() + 1)).toList();
            Answer answer = null;
            while (answer == null) {
                answer = tryCall(() -> server.get().push(queue, partition, ids));
            }
            for (int n = 0; n < ids.size(); n++) {
                JsonNode result = answer.body().path(n);
                assertThat(result.path("status").asText()).as("%s pushed again", ids.get(n)).isEqualTo("duplicate");
                assertThat(result.path("message_id").asText()).isEqualTo(accepted.get(partition + ":" + ids.get(n)));
            }
        }
    }

    private static void awaitAll(List<Future<?>> work) {
        for (Future<?> each : work) {
            try {
                each.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        isProducing = false;
        isConsuming = false;
        threads.shutdownNow();
    }
}
