package io.queenmq.bench;

import java.util.ArrayList;
import java.util.List;

/** The results of a scenario. Unknown values are NaN. */
record ScenarioResult(Scenario scenario, double seconds, long messages, double messagesPerSecond,
        double requestsPerSecond, double p50Ms, double p99Ms, double serverCpuMicros, double postgresCpuMicros,
        double generatorCpuMicros, double commitsPerMessage, long errors, List<String> firstErrors) {

    static ScenarioResult of(Scenario scenario, Tally tally, Window window) {
        double seconds = window.elapsedNs() / 1e9;
        double messages = tally.messages();
        Usage usage = window.usage();
        return new ScenarioResult(scenario, seconds, tally.messages(), ratio(messages, seconds),
                ratio(tally.requests(), seconds), tally.latencies().quantileMs(0.5), tally.latencies().quantileMs(0.99),
                ratio(usage.serverCpuSeconds() * 1e6, messages), ratio(usage.postgresCpuSeconds() * 1e6, messages),
                ratio(usage.generatorCpuSeconds() * 1e6, messages), ratio(usage.commits(), messages), tally.errors(),
                tally.firstErrors());
    }

    ScenarioResult withError(String error) {
        List<String> more = new ArrayList<>(firstErrors);
        more.add(error);
        return new ScenarioResult(scenario, seconds, messages, messagesPerSecond, requestsPerSecond, p50Ms, p99Ms,
                serverCpuMicros, postgresCpuMicros, generatorCpuMicros, commitsPerMessage, errors + 1,
                List.copyOf(more));
    }

    private static double ratio(double part, double whole) {
        return whole == 0 ? Double.NaN : part / whole;
    }
}
