package io.queenmq.engine.pop;

import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.budget.ByteBudget.Share;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.lease.LeasedRange;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the granted messages, records the messages that each lease covers, and answers the pop. If that is impossible, the leases
 * are released and the pop is planned again. Owned by the engine loop.
 */
final class Delivery {
    private final SegmentReader reader;
    private final Leases leases;
    private final Numbers numbers;
    private final DatabaseHistory history;
    private final Timers timers;
    private final LeaseReleases releases;
    private final PopEvents events;

    Delivery(EngineContext context, SegmentReader reader, Leases leases, Numbers numbers, LeaseReleases releases,
            PopEvents events) {
        this.reader = reader;
        this.leases = leases;
        this.numbers = numbers;
        this.timers = context.timers();
        this.history = context.connections().history();
        this.releases = releases;
        this.events = events;
    }

    void deliver(Pop pop) {
        pop.become(PopState.FETCHING);
        List<Grant> grants = pop.grants();
        List<List<Segment>> segments = new ArrayList<>(grants.size());
        readNext(pop, grants, segments, reader.openShare());
    }

    /** Reads one partition after the other: a partition has a small part of the answer, and most segments are cached. */
    private void readNext(Pop pop, List<Grant> grants, List<List<Segment>> segments, Share share) {
        if (pop.epoch() != history.epoch()) {
            releaseAll(pop, share);
            pop.reset();
            planAgain(pop);
            return;
        }
        if (segments.size() == grants.size()) {
            answer(pop, grants, segments, share);
            return;
        }
        Grant grant = grants.get(segments.size());
        // A read of messages that were acknowledged with their lease must not fail: they would be lost.
        long leaseNs = pop.command().autoAck() ? 0 : Math.max(1, grant.untilNs() - timers.nowNs());
        reader.read(grant.partition().id(), grant.range().first(), grant.range().end(), share, leaseNs,
                Reply.of(found -> {
                    segments.add(found);
                    readNext(pop, grants, segments, share);
                }, failure -> {
                    releaseAll(pop, share);
                    pop.failed(failure);
                    planAgain(pop);
                }));
    }

    private void answer(Pop pop, List<Grant> grants, List<List<Segment>> segments, Share share) {
        boolean isLeased = !pop.command().autoAck();
        List<PopOutcome.Run> runs = new ArrayList<>(grants.size());
        for (int i = 0; i < grants.size(); i++) {
            Grant grant = grants.get(i);
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
            // All messages were deleted meanwhile.
            releaseAll(pop, share);
            pop.endRounds();
            planAgain(pop);
            return;
        }
        count(grants, runs, !isLeased);
        pop.become(PopState.DELIVERED);
        pop.command().reply()
                .succeed(new PopOutcome.Delivered(pop.command().group(), isLeased ? pop.leaseId() : null, runs, share));
    }

    private void releaseAll(Pop pop, Share share) {
        share.close();
        releases.releaseAll(pop);
    }

    private void planAgain(Pop pop) {
        pop.become(PopState.RUNNABLE);
        events.add(pop);
    }

    /** Counts the messages. The runs are in the order of their grants. */
    private void count(List<Grant> grants, List<PopOutcome.Run> runs, boolean isAutoAck) {
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

    private static void addRuns(Grant grant, Segment segment, LeasedRange range, List<PopOutcome.Run> runs) {
        int first = (int) Math.max(0, grant.range().first() - segment.base());
        int end = (int) Math.min(segment.count(), grant.range().end() - segment.base());
        while (first < end) {
            if (grant.range().acked().contains(segment.base() + first)) {
                first++;
                continue;
            }
            int attempts = grant.range().attempts().at(segment.base() + first);
            int next = first + 1;
            while (next < end && !grant.range().acked().contains(segment.base() + next)
                    && grant.range().attempts().at(segment.base() + next) == attempts) {
                next++;
            }
            range.add(segment.hashes(), first, next, segment.base() + first);
            runs.add(new PopOutcome.Run(grant.partition().backlog().queueName(), grant.partition().name(),
                    grant.partition().id(), segment, first, next, attempts));
            first = next;
        }
    }
}
