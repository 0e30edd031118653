package io.queenmq.engine.ack;

import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The arguments about acks of the routines ack, nack and transact. */
public final class AckArguments {
    private final List<AckHolder> holders;
    private final List<Failed> failures = new ArrayList<>();

    /** A message that failed, and the position of its holder. */
    private record Failed(int holder, AckHolder.Entry entry) {}

    public AckArguments(List<AckHolder> holders) {
        this.holders = holders;
        for (int i = 0; i < holders.size(); i++) {
            for (AckHolder.Entry failure : holders.get(i).failures()) {
                failures.add(new Failed(i, failure));
            }
        }
    }

    /** Returns the four arguments of the routine ack. */
    Tuple completed() {
        UUID[] partitionIds = new UUID[holders.size()];
        String[] groups = new String[holders.size()];
        UUID[] leaseIds = new UUID[holders.size()];
        String[] completed = new String[holders.size()];
        for (int i = 0; i < partitionIds.length; i++) {
            AckHolder holder = holders.get(i);
            partitionIds[i] = holder.partitionId();
            groups[i] = holder.group();
            leaseIds[i] = holder.leaseId();
            completed[i] = holder.completed().toString();
        }
        return Tuple.of(partitionIds, groups, leaseIds, completed);
    }

    /** Returns the eight arguments of the routine nack, which the routine transact has, too. */
    public Tuple all() {
        return completed().addValue(failures.stream().map(failed -> failed.holder + 1).toArray(Integer[]::new))
                .addValue(failures.stream().map(failed -> failed.entry.offset()).toArray(Long[]::new))
                .addValue(failures.stream().map(failed -> failed.entry.item().status().name().toLowerCase())
                        .toArray(String[]::new))
                .addValue(failures.stream()
                        .map(failed -> holders.get(failed.holder).storedError(failed.entry.item().error()))
                        .toArray(String[]::new));
    }

    /**
     * Returns for each holder the offsets of its dead letters.
     *
     * @param items the positions of failed messages that became dead letters, counted from 1
     */
    public List<Set<Long>> dead(List<Integer> items) {
        List<Set<Long>> dead = new ArrayList<>(holders.size());
        holders.forEach(_ -> dead.add(new HashSet<>(0)));
        for (int item : items) {
            Failed failed = failures.get(item - 1);
            dead.get(failed.holder).add(failed.entry.offset());
        }
        return dead;
    }
}
