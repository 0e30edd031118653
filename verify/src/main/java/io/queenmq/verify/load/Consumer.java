package io.queenmq.verify.load;

import io.queenmq.verify.load.Requests.Delivery;
import io.queenmq.verify.load.Requests.Popped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Pops and acknowledges. With some probability it fails messages, renews its lease, keeps it too long, or never acknowledges. */
final class Consumer extends Worker {
    private static final int LEASE_SECONDS = 4;

    private final String queue;
    private final String group;
    private final Behavior behavior;
    private final Deliveries deliveries;

    /**
     * The behavior of a consumer, as probabilities per pop.
     *
     * @param fail fails all messages
     * @param failOne fails one message and completes the others
     * @param crash never acknowledges
     * @param hold acknowledges after the lease has expired
     * @param renew renews the lease before it acknowledges
     * @param keep renews the lease several times, and acknowledges after its first end
     * @param isBulk always pops as many messages as possible
     */
    record Behavior(int batchMax, double fail, double failOne, double crash, double hold, double renew, double keep,
            boolean isAutoAck, boolean isBulk) {
        static Behavior calm(int batchMax) {
            return new Behavior(batchMax, 0.01, 0.01, 0.01, 0.01, 0.05, 0.01, false, false);
        }

        static Behavior failing(int batchMax) {
            return new Behavior(batchMax, 0.2, 0.1, 0.08, 0.04, 0.05, 0.01, false, false);
        }

        /** Fails half of its batches, as a consumer whose downstream service is unavailable. */
        static Behavior bulk() {
            return new Behavior(BulkProducer.MESSAGES, 0.5, 0.05, 0.05, 0.02, 0.05, 0, false, true);
        }

        static Behavior autoAck() {
            return new Behavior(20, 0, 0, 0, 0, 0, 0, true, false);
        }
    }

    Consumer(Session session, Plan plan, String queue, String group, Behavior behavior, Deliveries deliveries) {
        super(session, plan.seed());
        this.queue = queue;
        this.group = group;
        this.behavior = behavior;
        this.deliveries = deliveries;
    }

    @Override
    protected void step() {
        boolean isCalm = deliveries.isDraining();
        int batch = behavior.isBulk() ? behavior.batchMax() : chance(0.2) ? 1 : 1 + random.nextInt(behavior.batchMax());
        Duration wait = chance(0.2) ? Duration.ZERO : Duration.ofMillis(chance(0.8) ? 500 : 3_000);
        Popped popped = requests.pop(queue, null, group, batch, 1 + random.nextInt(5), wait, LEASE_SECONDS,
                behavior.isAutoAck());
        if (popped.messages().isEmpty()) {
            pause(Duration.ofMillis(popped.isUnknown() ? 300 : wait.isZero() ? 100 : 0));
            return;
        }
        deliveries.count();
        if (!behavior.isAutoAck()) {
            finish(popped, isCalm);
        }
    }

    private void finish(Popped popped, boolean isCalm) {
        double dice = isCalm ? 1 : random.nextDouble();
        List<Delivery> messages = popped.messages();
        List<String> statuses = new ArrayList<>(Collections.nCopies(messages.size(), "completed"));
        if (chance(behavior.renew())) {
            requests.renew(popped.lease(), LEASE_SECONDS);
        }
        if ((dice -= behavior.crash()) < 0) {
            return;
        }
        if ((dice -= behavior.hold()) < 0) {
            pause(Duration.ofMillis(LEASE_SECONDS * 1_000 + 500));
        } else if ((dice -= behavior.keep()) < 0) {
            keep(popped.lease());
        } else if ((dice -= behavior.fail()) < 0) {
            Collections.fill(statuses, "failed");
        } else if ((dice -= behavior.failOne()) < 0) {
            statuses.set(random.nextInt(statuses.size()), "failed");
        } else if (chance(0.3)) {
            pause(Duration.ofMillis(random.nextInt(50)));
        }
        if (requests.ack(group, popped.lease(), messages, statuses).isUnknown() && chance(0.5)) {
            // The ack may have taken effect. A repeated one must not change that.
            requests.ack(group, popped.lease(), messages, statuses);
        }
    }

    /** Keeps the lease for longer than its first time. */
    private void keep(String lease) {
        for (int i = 0; i < 2; i++) {
            pause(Duration.ofMillis(LEASE_SECONDS * 600));
            requests.renew(lease, LEASE_SECONDS);
        }
    }
}
