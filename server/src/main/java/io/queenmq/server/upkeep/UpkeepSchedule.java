package io.queenmq.server.upkeep;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which job is due, and how long to pause when none is. All jobs are due at one time after this server begins
 * upkeep, and then one interval after the end of their last pass, whether that pass failed or not. Owned by the upkeep thread.
 */
final class UpkeepSchedule {
    private final List<UpkeepJob> jobs;
    private final Duration pauseMax;
    private final long firstDueNs;
    private final Map<String, Long> dueNs = new HashMap<>();

    /**
     * @param pauseMax the longest pause, after which the caller checks that its session is still open
     * @param firstDueNs the time of the first pass of every job
     */
    UpkeepSchedule(List<UpkeepJob> jobs, Duration pauseMax, long firstDueNs) {
        this.jobs = jobs;
        this.pauseMax = pauseMax;
        this.firstDueNs = firstDueNs;
    }

    boolean isDue(UpkeepJob job, long nowNs) {
        return remainingNs(job, nowNs) <= 0;
    }

    /** Must be called when a pass of the job has ended. */
    void ended(UpkeepJob job, long nowNs) {
        dueNs.put(job.name(), nowNs + job.interval().toNanos());
    }

    /** Returns the time until the next job is due, at most the longest pause; 0 when one is due now. */
    long pauseNs(long nowNs) {
        long pauseNs = pauseMax.toNanos();
        for (UpkeepJob job : jobs) {
            pauseNs = Math.min(pauseNs, remainingNs(job, nowNs));
        }
        return Math.max(0, pauseNs);
    }

    private long remainingNs(UpkeepJob job, long nowNs) {
        return dueNs.getOrDefault(job.name(), firstDueNs) - nowNs;
    }
}
