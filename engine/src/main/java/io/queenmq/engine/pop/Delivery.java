package io.queenmq.engine.pop;

import io.queenmq.engine.budget.ByteBudget.Share;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.lease.LeasedRange;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Turns what was granted into the answer: reads the messages and takes note of what the lease covers. */
final class Delivery {
    private final SegmentReader reader;
    private final Leases leases;
    private final Numbers numbers;
    private final DatabaseHistory history;
    private final Timers timers;
    private final Consumer<Pop> onNothingKept;
    private final Consumer<Pop> onHistoryChanged;
    private final BiConsumer<Pop, Failure> onRefused;

    Delivery(SegmentReader reader, Leases leases, Numbers numbers, DatabaseHistory history, Timers timers,
            Consumer<Pop> onNothingKept, Consumer<Pop> onHistoryChanged, BiConsumer<Pop, Failure> onRefused) {
        this.reader = reader;
        this.leases = leases;
        this.numbers = numbers;
        this.timers = timers;
        this.history = history;
        this.onNothingKept = onNothingKept;
        this.onHistoryChanged = onHistoryChanged;
        this.onRefused = onRefused;
    }

    void deliver(Pop pop) {
        List<Pop.Grant> grants = pop.grants();
        List<List<Segment>> segments = new ArrayList<>(grants.size());
        readNext(pop, grants, segments, reader.openShare());
    }

    /** Partition by partition: what the partitions share of one answer is small, and most of it is in memory. */
    private void readNext(Pop pop, List<Pop.Grant> grants, List<List<Segment>> segments, Share share) {
        if (pop.epoch() != history.epoch()) {
            share.close();
            onHistoryChanged.accept(pop);
            return;
        }
        if (segments.size() == grants.size()) {
            answer(pop, grants, segments, share);
            return;
        }
        Pop.Grant grant = grants.get(segments.size());
        // What was acked as it was handed out would be lost.
        boolean canGiveUp = !pop.command().autoAck();
        reader.read(grant.partition().id(), grant.first(), grant.end(), share, canGiveUp, Reply.of(found -> {
            segments.add(found);
            readNext(pop, grants, segments, share);
        }, failure -> {
            share.close();
            onRefused.accept(pop, failure);
        }));
    }

    private void answer(Pop pop, List<Pop.Grant> grants, List<List<Segment>> segments, Share share) {
        boolean isLeased = !pop.command().autoAck();
        List<PopOutcome.Run> runs = new ArrayList<>(grants.size());
        for (int i = 0; i < grants.size(); i++) {
            Pop.Grant grant = grants.get(i);
            LeasedRange range = new LeasedRange(pop.command().group(), grant.partition().backlog().queueName(),
                    grant.partition().name(), timers.nowNs(), grant.untilNs());
            for (Segment segment : segments.get(i)) {
                addRuns(grant, segment, range, runs);
            }
            if (isLeased) {
                leases.add(pop.leaseId(), grant.partition().id(), range);
                grant.partition().delivered(pop.leaseId());
            }
        }
        if (runs.isEmpty()) {
            share.close();
            onNothingKept.accept(pop);
            return;
        }
        count(grants, runs, !isLeased);
        pop.become(PopState.COMPLETED);
        pop.command().reply().succeed(
                new PopOutcome.Delivered(pop.command().group(), isLeased ? pop.leaseId() : null, runs, share));
    }

    /** The runs stand in the order of the grants they were made from. */
    private void count(List<Pop.Grant> grants, List<PopOutcome.Run> runs, boolean isAutoAck) {
        long request = numbers.popAnswered();
        long nowMicros = timers.epochMicros();
        int grant = 0;
        for (PopOutcome.Run run : runs) {
            while (!grants.get(grant).partition().id().equals(run.partitionId())) {
                grant++;
            }
            grants.get(grant).partition().backlog().numbers().popped(request, run.end() - run.first(),
                    nowMicros - run.segment().createdAtMicros(), isAutoAck);
        }
    }

    private static void addRuns(Pop.Grant grant, Segment segment, LeasedRange range, List<PopOutcome.Run> runs) {
        int first = (int) Math.max(0, grant.first() - segment.base());
        int end = (int) Math.min(segment.count(), grant.end() - segment.base());
        while (first < end) {
            if (grant.acked().contains(segment.base() + first)) {
                first++;
                continue;
            }
            int attempts = grant.attempts().at(segment.base() + first);
            int next = first + 1;
            while (next < end && !grant.acked().contains(segment.base() + next)
                    && grant.attempts().at(segment.base() + next) == attempts) {
                next++;
            }
            range.add(segment.hashes(), first, next, segment.base() + first);
            runs.add(new PopOutcome.Run(grant.partition().backlog().queueName(), grant.partition().name(),
                    grant.partition().id(),
                    segment, first, next, attempts));
            first = next;
        }
    }
}
