package io.queenmq.client;

import io.queenmq.client.error.QueenException;

/** Notifies two listeners, the second one even if the first one throws. */
record ConsumerListeners(ConsumerListener first, ConsumerListener second) implements ConsumerListener {
    @Override
    public void handlerFailed(Delivery<?> delivery, Throwable failure) {
        both(() -> first.handlerFailed(delivery, failure), () -> second.handlerFailed(delivery, failure));
    }

    @Override
    public void deadLettered(Delivery<?> delivery, String reason) {
        both(() -> first.deadLettered(delivery, reason), () -> second.deadLettered(delivery, reason));
    }

    @Override
    public void leaseLost(Delivery<?> delivery) {
        both(() -> first.leaseLost(delivery), () -> second.leaseLost(delivery));
    }

    @Override
    public void popFailed(QueenException failure) {
        both(() -> first.popFailed(failure), () -> second.popFailed(failure));
    }

    private static void both(Runnable one, Runnable other) {
        try {
            one.run();
        } finally {
            other.run();
        }
    }
}
