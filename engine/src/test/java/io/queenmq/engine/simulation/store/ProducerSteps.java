package io.queenmq.engine.simulation.store;

import io.queenmq.engine.push.TransactionHash;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/** Steps of producers and of clients that create queues. */
final class ProducerSteps {
    private final Stage stage;
    private final Picks picks;
    private final SplittableRandom random;
    private int messages;

    ProducerSteps(Stage stage, Picks picks, SplittableRandom random) {
        this.stage = stage;
        this.picks = picks;
        this.random = random;
    }

    void createQueue() {
        stage.call("create_queues", new String[]{picks.any(Picks.QUEUES)}, new String[]{"shop"}, new String[]{""});
    }

    void configure() {
        JsonObject options = new JsonObject();
        for (QueueOption option : QueueOption.values()) {
            Object value = valueOrNull(option);
            if (value != null) {
                options.put(option.column(), value.equals(QueueOptions.AS_THE_SERVER) ? null : value);
            }
        }
        stage.call("configure", "caller", picks.any(Picks.QUEUES), null, null, options, true, null);
    }

    /** @return null to leave the option unchanged */
    private Object valueOrNull(QueueOption option) {
        return switch (option) {
            case RETRY_LIMIT -> maybe(picks.any(List.of(0, 0, 1, 2)));
            case RETRY_BACKOFF -> picks.oneIn(3) ? picks.any(List.of(1.0, 1.5, 3.0)) : null;
            case RETRY_DELAY -> maybe(picks.any(List.of(0, 300, 20_000)));
            case MAX_SIZE -> picks.oneIn(4) ? Long.valueOf(picks.any(List.of(0L, 0L, 6L, 20L))) : null;
            case MAX_WAIT_TIME -> picks.oneIn(2) ? picks.any(List.of(0, 60)) : null;
            case DEAD_LETTER_QUEUE -> picks.oneIn(3) ? random.nextBoolean() : null;
            case RETENTION_ENABLED -> picks.oneIn(4) ? random.nextBoolean() : null;
            case RETENTION -> picks.oneIn(4) ? picks.any(List.of(0, 120)) : null;
            case COMPLETED_RETENTION -> picks.oneIn(4) ? picks.any(List.of(0, 30)) : null;
            case DEDUP_WINDOW -> picks.oneIn(6) ? picks.any(List.of(QueueOptions.AS_THE_SERVER, 0, 60)) : null;
            case ENCRYPTION_ENABLED -> picks.oneIn(20) ? true : null;
            default -> null;
        };
    }

    private Integer maybe(int value) {
        return random.nextBoolean() ? value : null;
    }

    String[] transactionIds(int count) {
        return IntStream.range(0, count).mapToObj(_ -> "t" + (picks.oneIn(6) ? random.nextInt(20) : messages++))
                .toArray(String[]::new);
    }

    /** Returns segments for some partitions, as arguments of push. */
    Tuple segments(List<GroupInPartition> partitions) {
        Long[] knowns = partitions.stream().map(
                spot -> picks.partition(spot) == null ? 0L : picks.partition(spot).head() - (picks.oneIn(8) ? 1 : 0))
                .toArray(Long[]::new);
        Integer[] counts = picks.numbers(partitions.size(), () -> random.nextInt(1, 5));
        Buffer[] hashes = new Buffer[counts.length];
        Buffer[] bodies = new Buffer[counts.length];
        Integer[] largestLines = new Integer[counts.length];
        for (int i = 0; i < counts.length; i++) {
            hashes[i] = Buffer.buffer();
            bodies[i] = Buffer.buffer();
            largestLines[i] = 0;
            for (String transactionId : transactionIds(counts[i])) {
                hashes[i].appendLong(TransactionHash.of(transactionId));
                String line = "{\"id\":\"" + Picks.md5("m" + messages++) + "\",\"transactionId\":\"" + transactionId
                        + "\",\"traceId\":null,\"producerSub\":null,\"data\":{\"n\":" + messages + "}}\n";
                bodies[i].appendString(line);
                largestLines[i] = Math.max(largestLines[i], line.length());
            }
        }
        return Stage.tuple(GroupInPartition.partitionIds(partitions), knowns, counts, hashes, bodies, largestLines);
    }

    long epoch() {
        return stage.store().database().catalog.encryptionEpoch() - (picks.oneIn(30) ? 1 : 0);
    }

    void push() {
        List<GroupInPartition> partitions = picks.partitions();
        Tuple arguments = segments(partitions).addLong(epoch());
        if (random.nextBoolean()) {
            // For some partitions the server does not know whether they exist.
            Long[] knowns = (Long[]) arguments.getValue(1);
            UUID[] queueIds = picks.queueIds(partitions);
            String[] names = partitions.stream().map(GroupInPartition::partition).toArray(String[]::new);
            for (int i = 0; i < knowns.length; i++) {
                if (random.nextBoolean()) {
                    knowns[i] = -1L;
                } else {
                    queueIds[i] = null;
                    names[i] = null;
                }
            }
            arguments.addValue(queueIds).addValue(names);
        } else {
            arguments.addValue(null).addValue(null);
        }
        addAcceptance(arguments);
        stage.call("push", arguments);
    }

    void pushBounded() {
        List<GroupInPartition> partitions = picks.partitions();
        stage.call("push_bounded",
                addAcceptance(segments(partitions).addValue(limitedQueues(partitions)).addLong(epoch())));
    }

    /** Some segments are from a spool; their messages were accepted earlier. */
    private Tuple addAcceptance(Tuple arguments) {
        Integer[] counts = (Integer[]) arguments.getValue(2);
        Integer[] places = new Integer[counts.length];
        List<OffsetDateTime> acceptedAts = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (picks.oneIn(4)) {
                places[i] = acceptedAts.size() + 1;
                for (int message = 0; message < counts[i]; message++) {
                    acceptedAts.add(Moments.of(stage.now() - random.nextLong(100 * Moments.SECOND)));
                }
            }
        }
        return acceptedAts.isEmpty()
                ? arguments.addValue(null).addValue(null)
                : arguments.addValue(acceptedAts.toArray(OffsetDateTime[]::new)).addValue(places);
    }

    /** Uses messages that may be stored, and hashes that may exist. */
    void acceptances() {
        List<GroupInPartition> partitions = picks.partitions();
        stage.call("acceptances", GroupInPartition.partitionIds(partitions),
                partitions.stream().map(this::anyOffset).toArray(Long[]::new));
        Buffer[] hashes = new Buffer[partitions.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = Buffer.buffer();
            for (int wanted = random.nextInt(1, 30); wanted > 0; wanted--) {
                hashes[i].appendLong(TransactionHash.of("t" + random.nextInt(Math.max(20, messages))));
            }
        }
        stage.call("find_hashes", GroupInPartition.partitionIds(partitions),
                partitions.stream().map(this::anyOffset).toArray(Long[]::new),
                partitions.stream()
                        .map(_ -> Moments.of(stage.now() - picks.any(List.of(0L, 30L, 90L, 3_600L)) * Moments.SECOND))
                        .toArray(OffsetDateTime[]::new),
                hashes);
    }

    private long anyOffset(GroupInPartition spot) {
        return picks.partition(spot) == null ? 0 : random.nextLong(0, picks.partition(spot).head() + 2);
    }

    /** Returns the queue of each partition if it has a limit. */
    UUID[] limitedQueues(List<GroupInPartition> partitions) {
        return partitions.stream().map(spot -> {
            QueueRow queue = stage.store().database().catalog.find(spot.queue());
            return queue == null || queue.maxSize() == 0 ? null : queue.id();
        }).toArray(UUID[]::new);
    }

    void catchUp() {
        List<GroupInPartition> partitions = picks.partitions();
        Long[] knowns = partitions.stream().map(
                spot -> picks.partition(spot) == null ? -1L : random.nextLong(-1, picks.partition(spot).head() + 1))
                .toArray(Long[]::new);
        stage.call("catch_up", GroupInPartition.partitionIds(partitions), picks.queueIds(partitions),
                partitions.stream().map(GroupInPartition::partition).toArray(String[]::new), knowns,
                random.nextInt(1, 20), picks.numbers(partitions.size(), () -> picks.any(List.of(0, 1, 60, 3_600))));
    }
}
