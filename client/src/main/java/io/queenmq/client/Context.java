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
 * What all views of one client share.
 *
 * @param timer starts what is due, on one thread that never blocks
 * @param threads runs what blocks, each on a virtual thread of its own
 * @param running consumers and buffers that are to be closed before the connection is
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
