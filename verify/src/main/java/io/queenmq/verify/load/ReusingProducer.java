package io.queenmq.verify.load;

import io.queenmq.verify.load.Requests.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pushes messages with few transactionIds, so that most are used again, inside and outside the deduplication window. */
final class ReusingProducer extends Worker {
    private static final int PARTITIONS = 5;
    private static final int IDS = 40;

    private final Plan plan;
    private final String queue;

    ReusingProducer(Session session, Plan plan, String queue) {
        super(session, plan.seed());
        this.plan = plan;
        this.queue = queue;
    }

    @Override
    protected void step() {
        List<Message> messages = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            messages.add(new Message(plan.newMessage(), queue, "p" + random.nextInt(PARTITIONS),
                    "id" + random.nextInt(IDS), true));
        }
        requests.push(queue, messages);
        pause(Duration.ofMillis(20 + random.nextInt(180)));
    }
}
