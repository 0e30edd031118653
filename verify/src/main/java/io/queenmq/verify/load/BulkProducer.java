package io.queenmq.verify.load;

import io.queenmq.verify.load.Requests.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pushes 10,000 messages to one partition at once, so that a consumer receives and fails as many in one batch. */
final class BulkProducer extends Worker {
    static final int MESSAGES = 10_000;

    private static final int PER_REQUEST = 2_500;
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration BETWEEN = Duration.ofSeconds(180);

    private final Plan plan;
    private final String queue;
    private boolean isFirst = true;

    BulkProducer(Session session, Plan plan, String queue) {
        super(session, plan.seed());
        this.plan = plan;
        this.queue = queue;
    }

    @Override
    protected void step() {
        pause(isFirst ? FIRST : BETWEEN);
        isFirst = false;
        for (int pushed = 0; pushed < MESSAGES && !isStopped(); pushed += PER_REQUEST) {
            List<Message> messages = new ArrayList<>(PER_REQUEST);
            for (int i = 0; i < PER_REQUEST; i++) {
                long m = plan.newMessage();
                messages.add(new Message(m, queue, "p0", "m" + m, false));
            }
            while (requests.push(queue, messages).isUnknown() && !isStopped()) {
                pause(Duration.ofMillis(200));
            }
        }
    }
}
