package io.queenmq.engine.stream;

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
import java.util.UUID;

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
    record Form(Cycle cycle, List<byte[]> values, boolean isSealed, List<SegmentDraft> drafts) {}

    /**
     * The answer of the routine for one cycle.
     *
     * @param finished how many messages are finished by it
     * @param segments the stored segment of each draft; empty if it took no effect
     */
    record Judgement(Verdict verdict, long finished, boolean isReleased, List<Segment> segments) {}

    /** Returns one judgement for each cycle. */
    Future<List<Judgement>> call(Connection connection, List<Form> forms, long encryptionEpoch) {
        List<SegmentDraft> drafts = new ArrayList<>();
        List<Integer> pushCycles = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            for (SegmentDraft draft : forms.get(i).drafts) {
                drafts.add(draft);
                pushCycles.add(i + 1);
            }
        }
        Tuple arguments = cycles(forms);
        addOps(arguments, forms);
        arguments.addValue(pushCycles.toArray(Integer[]::new));
        Tuple segments = SegmentDraft.arguments(drafts);
        for (int i = 0; i < segments.size(); i++) {
            arguments.addValue(segments.getValue(i));
        }
        arguments.addValue(SegmentDraft.limitedQueueIds(drafts)).addLong(encryptionEpoch);
        arguments.addValue(forms.stream().map(form -> form.cycle.command().host()).toArray(Long[]::new));
        return connection.call(cycle, arguments).map(rows -> {
            Judgement[] judgements = new Judgement[forms.size()];
            Segment[] stored = new Segment[drafts.size()];
            for (Row row : rows) {
                if (row.getInteger(4) != null) {
                    stored[row.getInteger(4) - 1] = drafts.get(row.getInteger(4) - 1).stored(
                            new StoreAnswer.Stored(row.getLong(5), Micros.of(row.getOffsetDateTime(6))));
                }
            }
            for (Row row : rows) {
                if (row.getInteger(4) == null) {
                    Verdict verdict = Verdict.of(row.getString(1));
                    judgements[row.getInteger(0) - 1] = new Judgement(verdict, row.getLong(2), row.getBoolean(3),
                            verdict == Verdict.GO ? segmentsOf(row.getInteger(0), pushCycles, stored) : List.of());
                }
            }
            return List.of(judgements);
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

    private static Tuple cycles(List<Form> forms) {
        int size = forms.size();
        UUID[] queryIds = new UUID[size];
        UUID[] partitionIds = new UUID[size];
        String[] groups = new String[size];
        UUID[] tokens = new UUID[size];
        Boolean[] areAcks = new Boolean[size];
        UUID[] leaseIds = new UUID[size];
        Long[] offsets = new Long[size];
        String[] errors = new String[size];
        Boolean[] areDead = new Boolean[size];
        Boolean[] areKept = new Boolean[size];
        for (int i = 0; i < size; i++) {
            Cycle each = forms.get(i).cycle;
            CycleCommand command = each.command();
            queryIds[i] = command.queryId();
            partitionIds[i] = command.partitionId();
            groups[i] = command.group();
            tokens[i] = command.token();
            areAcks[i] = !each.isFlush();
            leaseIds[i] = each.ack() == null ? null : each.ack().leaseId();
            offsets[i] = each.ack() == null ? null : each.ack().lastOffset();
            errors[i] = each.isFlush() ? null : command.ack().error();
            areDead[i] = !each.isFlush() && command.ack().status() == AckItem.Status.DLQ;
            areKept[i] = command.isLeaseKept();
        }
        return Tuple.of(queryIds, partitionIds, groups, tokens, areAcks, leaseIds).addValue(offsets).addValue(errors)
                .addValue(areDead).addValue(areKept);
    }

    private static void addOps(Tuple arguments, List<Form> forms) {
        List<Integer> cycles = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        List<Buffer> values = new ArrayList<>();
        List<Double> windowEnds = new ArrayList<>();
        List<Boolean> areSealed = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            List<StateOp> ops = forms.get(i).cycle.command().ops();
            for (int j = 0; j < ops.size(); j++) {
                byte[] value = forms.get(i).values.get(j);
                cycles.add(i + 1);
                keys.add(ops.get(j).key());
                values.add(value == null ? null : Buffer.buffer(value));
                windowEnds.add(ops.get(j).windowEnd());
                areSealed.add(forms.get(i).isSealed);
            }
        }
        arguments.addValue(cycles.toArray(Integer[]::new)).addValue(keys.toArray(String[]::new))
                .addValue(values.toArray(Buffer[]::new)).addValue(windowEnds.toArray(Double[]::new))
                .addValue(areSealed.toArray(Boolean[]::new));
    }
}
