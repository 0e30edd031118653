package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Span;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A workload for measurements: batches are pushed and one group reads them. Every call must process all of its input.
 */
final class Traffic {
    static final String GROUP = "workers";

    /** Long enough for a machine that stalls during a measurement. */
    private static final int LEASE_S = 3_600;

    private final List<Partition> partitions;
    private final long[] heads;

    /** @param head of every partition */
    Traffic(List<Partition> partitions, long head) {
        this.partitions = partitions;
        this.heads = new long[partitions.size()];
        Arrays.fill(heads, head);
    }

    /** Partitions that do not exist yet. */
    static List<Partition> partitions(Queue queue, IntStream numbers) {
        return numbers.mapToObj(i -> {
            var name = "partition-" + i;
            var bytes = name.getBytes(UTF_8);
            var named = ByteBuffer.allocate(16 + bytes.length).putLong(queue.id().getMostSignificantBits())
                    .putLong(queue.id().getLeastSignificantBits()).put(bytes);
            return new Partition(queue.id(), queue.name(), UUID.nameUUIDFromBytes(named.array()), name);
        }).toList();
    }

    /** The pushes of one call to some of the partitions, and their result. */
    final class Round {
        private final int first;
        private final List<Batch> batches;
        private LeaseRequest[] requests;
        private List<LeaseResult> given;

        /** @param first partition; the following ones get the other batches */
        Round(int first, List<Batch> batches) {
            this.first = first;
            this.batches = batches;
        }

        int messages() {
            return batches.stream().mapToInt(Batch::count).sum();
        }

        void push(Api session) {
            requireAll(session.push(IntStream.range(0, batches.size())
                    .mapToObj(i -> new Append(partition(i), heads[first + i], batches.get(i))).toArray(Append[]::new)));
            for (int i = 0; i < batches.size(); i++) {
                heads[first + i] += batches.get(i).count();
            }
        }

        void lease(Api session) {
            requests = IntStream.range(0, batches.size())
                    .mapToObj(i -> LeaseRequest.of(partition(i), GROUP, batches.get(i).count()).forSeconds(LEASE_S))
                    .toArray(LeaseRequest[]::new);
            given = session.lease(requests).stream().filter(LeaseResult::isLeased).toList();
            requireAll(given);
        }

        void fetch(Api session) {
            requireAll(session.fetch(IntStream.range(0, batches.size())
                    .mapToObj(i -> new Span(partition(i).id(), given.get(i).first(), given.get(i).end()))
                    .toArray(Span[]::new)));
        }

        void ack(Api session) {
            requireAll(session.ack(IntStream.range(0, batches.size())
                    .mapToObj(i -> Holder.of(requests[i],
                            "{[%d,%d)}".formatted(given.get(i).first(), given.get(i).end())))
                    .toArray(Holder[]::new)).stream().filter(Api.CursorState::isReleased).toList());
        }

        private Partition partition(int i) {
            return partitions.get(first + i);
        }

        private void requireAll(List<?> answers) {
            if (answers.size() != batches.size()) {
                throw new IllegalStateException(answers.size() + " of " + batches.size() + " partitions");
            }
        }
    }
}
