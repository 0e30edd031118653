package io.queenmq.engine.stream;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.Micros;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.push.StoreAnswer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls the routine cycle. */
final class CycleRoutine {
    private final String cycle;

    CycleRoutine(String api) {
        cycle = "select index, verdict, finished, is_released, push_index, base, created_at from " + api
                + ".cycle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,"
                + " $22, $23, $24, $25)";
    }

    /**
     * A cycle in the form in which it is stored.
     *
     * @param values the values of its changes, in order, encrypted or not; null where a key is deleted
     * @param drafts the segments that it pushes
     */
    record PreparedCycle(Cycle cycle, List<byte[]> values, boolean isSealed, List<SegmentDraft> drafts) {}

    /**
     * The answer of the routine for one cycle.
     *
     * @param finished the number of messages that it finished
     * @param segments the stored segment of each draft; empty if it took no effect
     */
    record CycleResult(Verdict verdict, long finished, boolean isReleased, List<Segment> segments) {}

    /** Returns one result for each cycle. */
    Future<List<CycleResult>> call(Connection connection, List<PreparedCycle> prepared, long encryptionEpoch) {
        List<SegmentDraft> drafts = new ArrayList<>();
        List<Integer> pushCycles = new ArrayList<>();
        for (int i = 0; i < prepared.size(); i++) {
            for (SegmentDraft draft : prepared.get(i).drafts) {
                drafts.add(draft);
                pushCycles.add(i + 1);
            }
        }
        Tuple arguments = cycles(prepared);
        addOps(arguments, prepared);
        arguments.addValue(pushCycles.toArray(Integer[]::new));
        Tuple segments = SegmentDraft.arguments(drafts);
        for (int i = 0; i < segments.size(); i++) {
            arguments.addValue(segments.getValue(i));
        }
        arguments.addValue(SegmentDraft.limitedQueueIds(drafts)).addLong(encryptionEpoch);
        arguments.addValue(prepared.stream().map(each -> each.cycle.command().host()).toArray(Long[]::new));
        return connection.call(cycle, arguments).map(rows -> {
            CycleResult[] results = new CycleResult[prepared.size()];
            Segment[] stored = new Segment[drafts.size()];
            for (Row row : rows) {
                if (row.getInteger(4) != null) {
                    stored[row.getInteger(4) - 1] = Objects.requireNonNull(drafts.get(row.getInteger(4) - 1)
                            .stored(new StoreAnswer.Stored(row.getLong(5), Micros.of(row.getOffsetDateTime(6)))));
                }
            }
            for (Row row : rows) {
                if (row.getInteger(4) == null) {
                    Verdict verdict = Verdict.of(row.getString(1));
                    results[row.getInteger(0) - 1] = new CycleResult(verdict, row.getLong(2), row.getBoolean(3),
                            verdict == Verdict.GO ? segmentsOf(row.getInteger(0), pushCycles, stored) : List.of());
                }
            }
            return List.of(results);
        });
    }

    private static List<Segment> segmentsOf(int cycle, List<Integer> pushCycles, Segment[] segments) {
        List<Segment> own = new ArrayList<>();
        for (int i = 0; i < segments.length; i++) {
            if (pushCycles.get(i) == cycle) {
                own.add(segments[i]);
            }
        }
        return own;
    }

    private static Tuple cycles(List<PreparedCycle> prepared) {
        int size = prepared.size();
        UUID[] queryIds = new UUID[size];
        UUID[] partitionIds = new UUID[size];
        String[] groups = new String[size];
        UUID[] tokens = new UUID[size];
        Boolean[] areAcks = new Boolean[size];
        @Nullable
        UUID[] leaseIds = new @Nullable UUID[size];
        @Nullable
        Long[] offsets = new @Nullable Long[size];
        @Nullable
        String[] errors = new @Nullable String[size];
        Boolean[] areDead = new Boolean[size];
        Boolean[] areKept = new Boolean[size];
        for (int i = 0; i < size; i++) {
            Cycle each = prepared.get(i).cycle;
            CycleCommand command = each.command();
            queryIds[i] = command.queryId();
            partitionIds[i] = command.partitionId();
            groups[i] = command.group();
            tokens[i] = command.token();
            areAcks[i] = !each.isFlush();
            AckHolder holder = each.ack();
            leaseIds[i] = holder == null ? null : holder.leaseId();
            offsets[i] = holder == null ? null : holder.lastOffset();
            AckItem ack = command.ack();
            errors[i] = ack == null ? null : ack.error();
            areDead[i] = ack != null && ack.status() == AckItem.Status.DLQ;
            areKept[i] = command.isLeaseKept();
        }
        return Tuple.of(queryIds, partitionIds, groups, tokens, areAcks, leaseIds).addValue(offsets).addValue(errors)
                .addValue(areDead).addValue(areKept);
    }

    private static void addOps(Tuple arguments, List<PreparedCycle> prepared) {
        List<Integer> cycles = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        List<Buffer> values = new ArrayList<>();
        List<Double> windowEnds = new ArrayList<>();
        List<Boolean> areSealed = new ArrayList<>();
        for (int i = 0; i < prepared.size(); i++) {
            List<StateOp> ops = prepared.get(i).cycle.command().ops();
            for (int j = 0; j < ops.size(); j++) {
                byte[] value = prepared.get(i).values.get(j);
                cycles.add(i + 1);
                keys.add(ops.get(j).key());
                values.add(value == null ? null : Buffer.buffer(value));
                windowEnds.add(ops.get(j).windowEnd());
                areSealed.add(prepared.get(i).isSealed);
            }
        }
        arguments.addValue(cycles.toArray(Integer[]::new)).addValue(keys.toArray(String[]::new))
                .addValue(values.toArray(Buffer[]::new)).addValue(windowEnds.toArray(Double[]::new))
                .addValue(areSealed.toArray(Boolean[]::new));
    }
}
