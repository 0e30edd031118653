package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A call that runs on another session while the test continues. */
final class Step<T> {
    private static final long WAIT_MAX_S = 120;
    private static final String WAITING = "select count(*) from pg_stat_activity where pid = %d and state = 'active' and wait_event_type = 'Lock'";

    private final int pid;
    private final FutureTask<T> call;

    private Step(int pid, FutureTask<T> call) {
        this.pid = pid;
        this.call = call;
    }

    static <T> Step<T> start(Api session, Function<Api, T> call) {
        var step = new Step<>(session.backendPid(), new FutureTask<>(() -> call.apply(session)));
        Thread.ofVirtual().start(step.call);
        return step;
    }

    /** Waits until the call waits for a lock of another session. */
    Step<T> untilItWaits(Api observer) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_MAX_S);
        while (Rows.number(observer.connection(), WAITING.formatted(pid)) == 0) {
            assertThat(call.isDone()).as("the call returned without waiting").isFalse();
            assertThat(System.nanoTime()).as("the call neither waits nor ends").isLessThan(deadlineNs);
        }
        return this;
    }

    T result() {
        try {
            return call.get(WAIT_MAX_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new IllegalStateException("the call did not end", e);
        }
    }
}
