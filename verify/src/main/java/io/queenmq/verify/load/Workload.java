package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.history.History;
import io.queenmq.verify.load.Consumer.Behavior;
import io.queenmq.verify.load.Session.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queues and processes of a run. Phases: {@link #prepare}, {@link #start}, {@link #stopProducing}, {@link #drain},
 * {@link #audit}, {@link #close}.
 */
public final class Workload implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(7);
    private static final Duration COUNTED_WITHIN = Duration.ofSeconds(8);

    private final Plan plan;
    private final Targets targets;
    private final History history;
    private final Deliveries deliveries = new Deliveries();
    private final Map<String, ObjectNode> queues = new LinkedHashMap<>();
    private final List<Worker> producers = new ArrayList<>();
    private final List<Worker> consumers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable String streamGroup;
    private int processes;

    public Workload(Plan plan, Targets targets, History history) {
        this.plan = plan;
        this.targets = targets;
        this.history = history;
        declare("spread", true, options());
        declare("single", true, options());
        declare("failing", true, options().put("retryLimit", 2).put("retryDelay", 50));
        declare("reused", true, options().put("dedupWindowSeconds", 3));
        declare("source", true, options());
        declare("results", true, options());
        declare("retained", false,
                options().put("retentionEnabled", true).put("retentionSeconds", 0).put("completedRetentionSeconds", 1));
        declare("sought", true, options()).put("seeks", true);
        declare("recreated", false, options());
        declare("bulk", true, options());
        declare("streamed", true, options());
        declare("sessions", true, options());
    }

    private static ObjectNode options() {
        // The default retryLimit dead-letters messages whose consumers crash repeatedly, and the retryDelay slows tests down.
        return Session.object().put("leaseTime", 10).put("retryLimit", 20).put("retryDelay", 20);
    }

    private ObjectNode declare(String name, boolean isAudited, ObjectNode options) {
        ObjectNode queue = Session.object().put("queue", plan.queue(name)).put("audited", isAudited);
        queue.set("options", options);
        queues.put(name, queue);
        return queue;
    }

    /** Returns the names of the queues of this run. */
    public List<String> queueNames() {
        return queues.values().stream().map(each -> each.path("queue").asText()).toList();
    }

    /** Creates the queues. Returns the error of the server, or an empty text. */
    public String prepare() {
        try (Session session = newSession("setup")) {
            Requests requests = new Requests(session);
            for (ObjectNode queue : queues.values()) {
                ObjectNode body = Session.object().put("queue", queue.path("queue").asText());
                body.set("options", queue.get("options"));
                Result result = requests.operate("queue", "POST", "/api/v1/configure", body, queue);
                if (!result.isOk()) {
                    return "POST /api/v1/configure failed with status " + result.status() + ": " + result.body();
                }
            }
            streamGroup = StreamRunner.register(requests, plan.queue("streamed"), plan.queue("sessions"));
            if (streamGroup == null) {
                return "POST /streams/v1/queries failed";
            }
        }
        return "";
    }

    public void start() {
        produce("spread", plan.partitions(), true, 0.3, 3);
        produce("streamed", 12, true, 0.1, 1);
        add(producers, new BulkProducer(newSession("producer-bulk"), plan, plan.queue("bulk")));
        consume("bulk", "a", Behavior.bulk(), 1, true);
        streams();
        produce("spread", plan.partitions(), false, 0.1, 1);
        produce("single", 1, true, 0.15, 2);
        produce("failing", 20, true, 0.05, 1);
        produce("source", 30, true, 0.15, 1);
        produce("retained", 20, true, 0.15, 1);
        add(producers, new ReusingProducer(newSession("producer-reused"), plan, plan.queue("reused")));
        consume("spread", "a", Behavior.calm(200), 3, true);
        consume("spread", "b", Behavior.calm(50), 2, true);
        consume("spread", "auto", Behavior.autoAck(), 1, false);
        consume("single", "a", Behavior.calm(300), 2, true);
        consume("single", "b", Behavior.failing(10_000), 1, true);
        consume("failing", "a", Behavior.failing(100), 3, true);
        consume("reused", "a", Behavior.calm(20), 1, true);
        consume("results", "a", Behavior.calm(50), 1, true);
        consume("retained", "a", Behavior.calm(100), 1, true);
        consume("retained", "slow", Behavior.failing(20), 1, true);
        consume("recreated", "a", Behavior.calm(20), 1, false);
        group("source", "work", true);
        for (int i = 0; i < 2; i++) {
            add(consumers, new Transactor(newSession("transactor-" + i), plan, plan.queue("source"),
                    plan.queue("results"), "work", deliveries));
        }
        if (targets.database() != null) {
            add(consumers, new SqlUser(newSession("sql-user"), plan, targets.database(), plan.queue("source"),
                    plan.queue("results"), "work", deliveries));
        }
        group("sought", "seeker", false);
        add(producers, new Seeker(newSession("seeker"), plan, plan.queue("sought"), "p0", "seeker"));
        add(producers, new Operator(newSession("operator"), plan, plan.queue("single"), plan.queue("failing"),
                plan.queue("recreated")));
    }

    private void streams() {
        group("streamed", "streams." + streamGroup, true);
        for (int i = 0; i < 2; i++) {
            add(consumers, new StreamRunner(newSession("stream-" + i), plan, plan.queue("streamed"),
                    plan.queue("sessions"), deliveries));
        }
        consume("sessions", "a", Behavior.calm(20), 1, true);
    }

    private void produce(String queue, int partitions, boolean isWithIds, double share, int count) {
        for (int i = 0; i < count; i++) {
            String name = "producer-" + queue + (isWithIds ? "-ids-" : "-") + i;
            add(producers, new Producer(newSession(name), plan, plan.queue(queue), partitions, isWithIds,
                    Math.max(1, plan.rate() * share / count)));
        }
    }

    private void consume(String queue, String group, Behavior behavior, int count, boolean isComplete) {
        group(queue, group, isComplete);
        for (int i = 0; i < count; i++) {
            add(consumers, new Consumer(newSession("consumer-" + queue + "-" + group + "-" + i), plan,
                    plan.queue(queue), group, behavior, deliveries));
        }
    }

    private void group(String queue, String group, boolean isComplete) {
        history.mark("setup", "group",
                Session.object().put("queue", plan.queue(queue)).put("group", group).put("complete", isComplete));
    }

    private void add(List<Worker> workers, Worker worker) {
        workers.add(worker);
        threads.add(Thread.ofVirtual().name(worker.session.process()).start(worker));
    }

    private synchronized Session newSession(String process) {
        return new Session(process, targets, history, processes++);
    }

    /** Ends producers and operators, and returns when their last requests are complete. */
    public void stopProducing() {
        stop(producers);
    }

    private void stop(List<Worker> workers) {
        workers.forEach(Worker::stop);
        for (Worker worker : workers) {
            threads.stream().filter(each -> each.getName().equals(worker.session.process())).forEach(Workload::join);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(Duration.ofMinutes(2));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until consumers receive nothing for several seconds, longer than a lease, then ends them. */
    public void drain(Duration within) {
        long start = history.nowMicros();
        long untilNs = System.nanoTime() + within.toNanos();
        deliveries.startDraining();
        resume(untilNs);
        awaitRedrives(untilNs);
        deliveries.count();
        while (deliveries.nanosSinceLast() < QUIET.toNanos() && System.nanoTime() < untilNs) {
            sleep(Duration.ofMillis(100));
        }
        boolean isComplete = deliveries.nanosSinceLast() >= QUIET.toNanos();
        stop(consumers);
        history.append("run", "drain", start, Session.object().put("complete", isComplete));
    }

    /** Resumes the queue that is paused from time to time: a return of PostgreSQL to an earlier state may have paused it again. */
    private void resume(long untilNs) {
        ObjectNode line = Session.object().put("queue", plan.queue("single"));
        try (Session session = newSession("resume")) {
            Requests requests = new Requests(session);
            while (System.nanoTime() < untilNs && !requests.operate("resume", "POST",
                    "/api/v1/resources/queues/" + Requests.encoded(plan.queue("single")) + "/resume", null, line)
                    .isOk()) {
                sleep(Duration.ofMillis(500));
            }
        }
    }

    /** Waits until no redrive is running: it moves dead letters back after a fault, too. */
    private void awaitRedrives(long untilNs) {
        try (Session session = newSession("redrives")) {
            while (System.nanoTime() < untilNs) {
                Result result = session.call("GET", "/api/v1/dlq/redrives?limit=100", null, Requests.PATIENCE);
                if (result.isOk() && !result.body().findValuesAsText("status").contains("running")) {
                    return;
                }
                sleep(Duration.ofMillis(500));
            }
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the dead letters, all stored messages, the state of the streams and the counts of the queues. */
    public void audit() {
        List<String> audited = queues.values().stream().filter(each -> each.path("audited").asBoolean())
                .map(each -> each.path("queue").asText()).toList();
        try (Audit audit = new Audit(newSession("audit"))) {
            audit.streamState(plan.queue("streamed"), "streams." + streamGroup);
        }
        List<Thread> readers = new ArrayList<>();
        for (String queue : audited) {
            Session session = newSession("audit");
            readers.add(Thread.startVirtualThread(() -> {
                try (Audit audit = new Audit(session)) {
                    audit.readAll(queue);
                }
            }));
        }
        readers.forEach(Workload::join);
        // Servers add their counts to the database every five seconds.
        sleep(COUNTED_WITHIN);
        try (Audit audit = new Audit(newSession("audit"))) {
            queueNames().forEach(audit::letters);
            audited.forEach(audit::count);
        }
    }

    /** Deletes the queues of the run. */
    public void deleteQueues() {
        try (Session session = newSession("cleanup")) {
            for (String queue : queueNames()) {
                session.call("DELETE", "/streams/v1/queries/" + Requests.encoded(StreamRunner.queryName(queue)), null,
                        Requests.PATIENCE);
                session.call("DELETE", "/api/v1/resources/queues/" + Requests.encoded(queue), null, Requests.PATIENCE);
            }
        }
    }

    @Override
    public void close() {
        stop(producers);
        stop(consumers);
    }
}
