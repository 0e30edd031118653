package io.queenmq.verify.load;

import io.queenmq.verify.load.Requests.Delivery;
import io.queenmq.verify.load.Requests.Message;
import io.queenmq.verify.load.Requests.Popped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pops from one queue, then acknowledges the messages and pushes others to several partitions in one transaction. */
final class Transactor extends Worker {
    private static final int LEASE_SECONDS = 4;
    private static final int PARTITIONS = 40;

    private final Plan plan;
    private final String source;
    private final String target;
    private final String group;
    private final Deliveries deliveries;

    Transactor(Session session, Plan plan, String source, String target, String group, Deliveries deliveries) {
        super(session, plan.seed());
        this.plan = plan;
        this.source = source;
        this.target = target;
        this.group = group;
        this.deliveries = deliveries;
    }

    @Override
    protected void step() {
        Popped popped = requests.pop(source, null, group, 1 + random.nextInt(10), 1 + random.nextInt(3),
                Duration.ofMillis(500), LEASE_SECONDS, false);
        if (popped.messages().isEmpty()) {
            pause(Duration.ofMillis(popped.isUnknown() ? 300 : 0));
            return;
        }
        deliveries.count();
        if (!deliveries.isDraining() && chance(0.02)) {
            pause(Duration.ofMillis(LEASE_SECONDS * 1_000 + 500));
        }
        List<Delivery> acks = popped.messages();
        List<Message> pushes = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            long m = plan.newMessage();
            pushes.add(new Message(m, target, "t" + random.nextInt(PARTITIONS), "m" + m, false));
        }
        requests.transact(group, popped.lease(), acks, pushes);
    }
}
