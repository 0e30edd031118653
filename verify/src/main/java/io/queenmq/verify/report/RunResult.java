package io.queenmq.verify.report;

import io.queenmq.verify.check.Findings;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param guarantees the guarantee of each check, by the name of the check
 * @param skipped faults that could not be injected, each with the reason
 * @param evidence for each violation in the order of {@link Findings#kept()}, the lines of the history that prove it
 */
public record RunResult(String command, Instant started, long seed, int servers, int shards, int loadSeconds,
        Map<String, String> guarantees, Findings findings, List<List<String>> evidence, Timeline timeline,
        List<String> skipped) {
    public boolean isHeld() {
        return findings.isEmpty();
    }
}
