package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** What a consumer does with the deliveries of one lane; how handlers of each kind are called and believed. */
sealed interface LaneWork<T> {
    /** Runs on the worker's thread. Returns how many deliveries were handed to the handler. */
    int run(BatchRun<T> batch, List<Delivery<T>> lane);

    record EachMessage<T>(DecidingHandler<T> handler) implements LaneWork<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> lane) {
            for (int i = 0; i < lane.size(); i++) {
                Delivery<T> delivery = lane.get(i);
                if (!batch.mayBegin(delivery)) {
                    batch.handBack(delivery);
                    return i;
                }
                Outcome outcome;
                try {
                    outcome = batch.call(() -> requireNonNull(handler.decide(delivery), "the handler decided null"));
                } catch (Throwable failure) {
                    batch.fail(delivery, failure, i + 1 < lane.size() ? lane.get(i + 1) : null);
                    return i + 1;
                }
                switch (outcome) {
                    case Outcome.Ack ack -> batch.ack(delivery);
                    case Outcome.DeadLetter dead -> batch.deadLetter(delivery, dead.reason());
                    case Outcome.RetryAfter retry -> {
                        batch.rest(delivery, retry.delay());
                        return i + 1;
                    }
                }
            }
            return lane.size();
        }
    }

    record WholeLane<T>(BatchHandler<T> handler) implements LaneWork<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> lane) {
            if (!batch.mayBegin(lane.getFirst())) {
                batch.handBack(lane.getFirst());
                return 0;
            }
            try {
                batch.call(() -> {
                    handler.handle(lane);
                    return null;
                });
                lane.forEach(batch::ack);
            } catch (Throwable failure) {
                List<Delivery<T>> open = lane.stream().filter(each -> !each.isSettled()).toList();
                if (!open.isEmpty()) {
                    batch.failAll(open, failure);
                }
            }
            return lane.size();
        }
    }

    /** All of them are gone from the queue already, so a failure of one is no reason to drop the others. */
    record AtMostOnce<T>(Handler<T> handler) implements LaneWork<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> lane) {
            for (Delivery<T> delivery : lane) {
                try {
                    batch.call(() -> {
                        handler.handle(delivery);
                        return null;
                    });
                } catch (Throwable failure) {
                    batch.listener().onHandlerFailure(delivery, failure);
                }
            }
            return lane.size();
        }
    }
}
