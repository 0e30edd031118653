package io.queenmq.bench;

import java.util.function.Supplier;

/** The measured time, which may have pauses, and the resource usage in it. */
final class Window {
    private final Supplier<Usage> meter;
    private Usage usage = Usage.NONE;
    private long elapsedNs;
    private Usage usageAtStart = Usage.NONE;
    private long startNs;

    Window(Supplier<Usage> meter) {
        this.meter = meter;
    }

    void resume() {
        usageAtStart = meter.get();
        startNs = System.nanoTime();
    }

    void pause() {
        elapsedNs += System.nanoTime() - startNs;
        usage = usage.plus(meter.get().minus(usageAtStart));
    }

    /** Returns the usage up to the last pause. */
    long elapsedNs() {
        return elapsedNs;
    }

    Usage usage() {
        return usage;
    }
}
