package io.queenmq.client;

import io.queenmq.client.wire.Wire;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/**
 * The state that all views of one client share.
 *
 * @param timer starts due tasks on one thread, which must never block
 * @param threads runs blocking tasks, each on its own virtual thread
 * @param running consumers and buffers, which must be closed before the connections
 */
record Context(Wire wire, Payloads payloads, Tracing tracing, ScheduledExecutorService timer, Executor threads,
        Set<AutoCloseable> running) {
    static Context of(Wire wire, Payloads payloads, Tracing tracing) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().daemon().name("queen-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        Executor threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("queen-call-", 0).factory());
        return new Context(wire, payloads, tracing, timer, threads, ConcurrentHashMap.newKeySet());
    }

    <R> CompletableFuture<R> async(Supplier<R> call) {
        return CompletableFuture.supplyAsync(call, threads);
    }
}
