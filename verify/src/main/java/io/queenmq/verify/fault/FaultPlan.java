package io.queenmq.verify.fault;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.ServerProcess;
import io.queenmq.verify.history.History;
import io.queenmq.verify.http.HttpConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Injects faults one after the other until a time: first each fault once, in the order of the seed, then random ones, of which a
 * quarter are two faults at a time. Between faults, the servers have time to recover.
 */
public final class FaultPlan {
    private static final Duration RECOVERED_WITHIN = Duration.ofSeconds(90);
    private static final double PAIR = 0.25;

    private final Cluster cluster;
    private final History history;
    private final List<Fault> faults;
    private final Random random;
    private final Consumer<String> progress;
    private long nextId = 1;

    public FaultPlan(Cluster cluster, History history, List<Fault> faults, long seed, Consumer<String> progress) {
        this.cluster = cluster;
        this.history = history;
        this.random = new Random(seed);
        this.faults = new ArrayList<>(faults);
        Collections.shuffle(this.faults, random);
        this.progress = progress;
    }

    /** Injects faults until the time, and returns when the last one has ended and the servers have recovered. */
    public void run(long untilNs) throws InterruptedException {
        int injected = 0;
        pause(untilNs, 2_000 + random.nextInt(1_000));
        while (!faults.isEmpty() && System.nanoTime() < untilNs) {
            boolean isFirstRound = injected < faults.size();
            Fault fault = isFirstRound ? faults.get(injected) : faults.get(random.nextInt(faults.size()));
            Fault second = faults.get(random.nextInt(faults.size()));
            Duration duration = Duration.ofMillis(1_500 + random.nextInt(4_500));
            Thread other = null;
            if (!isFirstRound && isPair(fault, second) && random.nextDouble() < PAIR) {
                other = Thread.ofPlatform().name("verify-fault").start(() -> inject(second, duration));
            }
            inject(fault, duration);
            if (other != null) {
                other.join();
            }
            injected++;
            repair();
            awaitRecovered(fault.name());
            pause(untilNs, 1_000 + random.nextInt(4_000));
        }
    }

    private static boolean isPair(Fault one, Fault other) {
        return one != other && !(one.isOfPostmaster() && other.isOfPostmaster());
    }

    private static void pause(long untilNs, int millis) throws InterruptedException {
        Thread.sleep(Math.clamp((untilNs - System.nanoTime()) / 1_000_000, 0, millis));
    }

    private void inject(Fault fault, Duration duration) {
        Random own;
        long id;
        synchronized (random) {
            own = new Random(random.nextLong());
            id = nextId++;
        }
        ObjectNode begin = History.line().put("fault", id).put("name", fault.name());
        ArrayNode excuses = begin.putArray("excuses");
        fault.excuses().forEach(excuses::add);
        progress.accept("fault " + fault.name());
        history.mark("faults", "fault-begin", begin);
        ObjectNode end = History.line().put("fault", id).put("name", fault.name());
        try {
            fault.inject(cluster, own, duration);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            // With two faults at a time, one may prevent the other.
            end.put("error", String.valueOf(e.getMessage()));
        }
        history.mark("faults", "fault-end", end);
    }

    /** Starts what faults have ended, in case that a fault failed halfway. */
    private void repair() {
        cluster.database().restartIfEnded();
        cluster.servers().forEach(ServerProcess::restart);
    }

    /** Waits until all servers report that they are healthy and have no message in their spool. */
    private void awaitRecovered(String fault) throws InterruptedException {
        long start = history.nowMicros();
        long untilNs = System.nanoTime() + RECOVERED_WITHIN.toNanos();
        boolean isHealthy = isHealthy();
        while (!isHealthy && System.nanoTime() < untilNs) {
            Thread.sleep(200);
            isHealthy = isHealthy();
        }
        history.append("faults", "recovered", start, History.line().put("name", fault).put("complete", isHealthy));
    }

    private boolean isHealthy() {
        for (URI url : cluster.urls()) {
            try (HttpConnection connection = HttpConnection.open(url, null)) {
                HttpConnection.Response health = connection.call("GET", "/health", null, Duration.ofSeconds(5));
                if (health.status() != 200 || !new String(health.body(), StandardCharsets.UTF_8).replace(" ", "")
                        .contains("\"pending\":0")) {
                    return false;
                }
            } catch (IOException _) {
                return false;
            }
        }
        return true;
    }
}
