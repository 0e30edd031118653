package io.queenmq.bench;

/** The send time in a payload: 16 digits, in microseconds of a clock of this process. */
final class SendTime {
    private static final long BASE_MICROS = 1_000_000_000_000_000L;
    private static final long START_NS = System.nanoTime();

    private SendTime() {}

    static long nowMicros() {
        return BASE_MICROS + (System.nanoTime() - START_NS) / 1_000;
    }
}
