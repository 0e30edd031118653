package io.queenmq.spring;

import io.queenmq.client.Queen;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.GroupSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backlogs of all groups, loaded from a server when a meter is read, at most once per second. The thread that
 * reads meters waits for them for a second at most, because a server may not respond. Thread-safe.
 */
final class Backlogs {
    private static final Logger log = LoggerFactory.getLogger(Backlogs.class);
    private static final long MAX_AGE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_MS = 1_000;

    /** The name by which the server reports consumers without a group. */
    private static final String NO_GROUP = "__QUEUE_MODE__";

    private final Queen queen;
    private final AtomicBoolean isLoading = new AtomicBoolean();
    private volatile Loaded loaded = new Loaded(Map.of(), System.nanoTime() - MAX_AGE_NS);

    Backlogs(Queen queen) {
        this.queen = queen;
    }

    /** Returns the number of unfinished messages; NaN if it is unknown. */
    double messages(String queue, String group) {
        return get(queue, group, GroupSummary::totalLag);
    }

    /** Returns the seconds since the oldest unfinished message was due; NaN if they are unknown. */
    double ageSeconds(String queue, String group) {
        return get(queue, group, each -> each.oldestUnread().toSeconds());
    }

    private double get(String queue, String group, ToDoubleFunction<GroupSummary> number) {
        if (System.nanoTime() - loaded.atNs() >= MAX_AGE_NS && isLoading.compareAndSet(false, true)) {
            CompletableFuture<Void> load = new CompletableFuture<>();
            Thread.ofVirtual().name("queen-meters").start(() -> {
                try {
                    load();
                } finally {
                    isLoading.set(false);
                    load.complete(null);
                }
            });
            await(load);
        }
        GroupSummary found = loaded.groups().get(new Key(queue, group.isEmpty() ? NO_GROUP : group));
        return found == null ? Double.NaN : number.applyAsDouble(found);
    }

    private void load() {
        Map<Key, GroupSummary> groups = new HashMap<>();
        try {
            queen.operator().groups().list().forEach(each -> groups.put(new Key(each.queue(), each.name()), each));
        } catch (QueenException | IllegalStateException e) {
            // An outdated number would look like a correct one.
            log.debug("loading the backlogs for meters failed: {}", e.getMessage());
        }
        loaded = new Loaded(groups, System.nanoTime());
    }

    private static void await(CompletableFuture<Void> load) {
        try {
            load.get(WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("backlogs for meters are not loaded yet: {}", e.toString());
        }
    }

    private record Key(String queue, String group) {}

    private record Loaded(Map<Key, GroupSummary> groups, long atNs) {}
}
