package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.load.Requests.Delivery;
import io.queenmq.verify.load.Requests.Message;
import io.queenmq.verify.load.Requests.Popped;
import io.queenmq.verify.load.Session.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The only consumer of its group and partition: reads all of it, then seeks to the time or offset of a known message. */
final class Seeker extends Worker {
    private static final int KEPT = 500;

    private final Plan plan;
    private final String queue;
    private final String partition;
    private final String group;
    private final List<Delivery> known = new ArrayList<>();

    Seeker(Session session, Plan plan, String queue, String partition, String group) {
        super(session, plan.seed());
        this.plan = plan;
        this.queue = queue;
        this.partition = partition;
        this.group = group;
    }

    @Override
    protected void step() {
        long m = plan.newMessage();
        requests.push(queue, List.of(new Message(m, queue, partition, "m" + m, false)));
        Popped popped = requests.pop(queue, partition, group, 100, 1, Duration.ofMillis(200), 4, false);
        if (!popped.messages().isEmpty()) {
            requests.ack(group, popped.lease(), popped.messages(),
                    Collections.nCopies(popped.messages().size(), "completed"));
            known.addAll(popped.messages());
            if (known.size() > KEPT) {
                known.subList(0, known.size() - KEPT).clear();
            }
        }
        if (known.size() > 5 && chance(0.2)) {
            seek(known.get(random.nextInt(known.size() - 1)));
        }
        pause(Duration.ofMillis(random.nextInt(300)));
    }

    private void seek(Delivery to) {
        ObjectNode line = Session.object().put("queue", queue).put("group", group).put("partition", partition);
        ObjectNode body = Session.object();
        if (chance(0.5)) {
            body.put("offset", to.offset());
            line.put("offset", to.offset());
        } else {
            body.put("timestamp", Instant.EPOCH.plus(to.createdMicros(), ChronoUnit.MICROS).toString());
            line.put("createdAfter", to.createdMicros());
        }
        Result result = requests
                .operate(
                        "seek", "POST", "/api/v1/consumer-groups/" + Requests.encoded(group) + "/queues/"
                                + Requests.encoded(queue) + "/partitions/" + Requests.encoded(partition) + "/seek",
                        body, line);
        if (result.isUnknown()) {
            pause(Duration.ofMillis(500));
        }
    }
}
