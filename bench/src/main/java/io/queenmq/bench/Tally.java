package io.queenmq.bench;

import java.util.ArrayList;
import java.util.List;

/** Counts the results of a scenario. Errors are always counted, other values only while measuring. */
final class Tally {
    private static final int ERRORS_SHOWN_MAX = 5;

    private final Latencies latencies = new Latencies();
    private final List<String> firstErrors = new ArrayList<>();
    private boolean isMeasuring;
    private long messages;
    private long requests;
    private long errors;
    private long messagesEver;

    void measure(boolean isMeasuring) {
        this.isMeasuring = isMeasuring;
    }

    /** Counts a response. */
    void answered() {
        if (isMeasuring) {
            requests++;
        }
    }

    /** Counts messages that have completed the scenario. */
    void finished(int count) {
        messagesEver += count;
        if (isMeasuring) {
            messages += count;
        }
    }

    void took(long micros) {
        if (isMeasuring) {
            latencies.add(micros);
        }
    }

    void error(String what) {
        errors++;
        if (firstErrors.size() < ERRORS_SHOWN_MAX) {
            firstErrors.add(what);
        }
    }

    long messages() {
        return messages;
    }

    /** Returns the messages including those outside of the measurement. */
    long messagesEver() {
        return messagesEver;
    }

    long requests() {
        return requests;
    }

    long errors() {
        return errors;
    }

    List<String> firstErrors() {
        return List.copyOf(firstErrors);
    }

    Latencies latencies() {
        return latencies;
    }
}
