package io.queenmq.verify.load;

import java.time.Duration;
import java.util.List;

/** Pauses and resumes a queue, moves dead letters back, and deletes and creates a queue again. */
final class Operator extends Worker {
    private final Plan plan;
    private final String paused;
    private final String redriven;
    private final String recreated;

    /**
     * @param paused the queue that is paused and resumed
     * @param redriven the queue whose dead letters are moved back
     * @param recreated the queue that is deleted and created again
     */
    Operator(Session session, Plan plan, String paused, String redriven, String recreated) {
        super(session, plan.seed());
        this.plan = plan;
        this.paused = paused;
        this.redriven = redriven;
        this.recreated = recreated;
    }

    @Override
    protected void step() {
        pause(Duration.ofMillis(1_500 + random.nextInt(3_000)));
        if (isStopped()) {
            return;
        }
        switch (random.nextInt(3)) {
            case 0 -> pauseAndResume();
            case 1 -> requests.operate("redrive", "POST", "/api/v1/dlq/redrive",
                    Session.object().put("queue", redriven).put("limit", 100), Session.object().put("queue", redriven));
            default -> {
                requests.operate("delete-queue", "DELETE", "/api/v1/resources/queues/" + Requests.encoded(recreated),
                        null, Session.object().put("queue", recreated));
                long m = plan.newMessage();
                requests.push(recreated, List.of(new Requests.Message(m, recreated, "p0", "m" + m, false)));
            }
        }
    }

    private void pauseAndResume() {
        String target = "/api/v1/resources/queues/" + Requests.encoded(paused);
        requests.operate("pause", "POST", target + "/pause", null, Session.object().put("queue", paused));
        pause(Duration.ofMillis(random.nextInt(1_500)));
        // A queue that stays paused would never be drained, so the request is repeated until it is confirmed.
        for (int tries = 0; tries < 100; tries++) {
            if (requests.operate("resume", "POST", target + "/resume", null, Session.object().put("queue", paused))
                    .isOk()) {
                return;
            }
            pauseAlways(Duration.ofMillis(300));
        }
    }

    private static void pauseAlways(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
