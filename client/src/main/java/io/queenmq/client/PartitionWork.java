package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a consumer does with the deliveries of one partition; how handlers of each kind are called and believed. */
sealed interface PartitionWork<T> {
    /** Runs on the worker's thread. Returns how many deliveries were handed to the handler. */
    int run(BatchRun<T> batch, List<Delivery<T>> partition);

    record EachMessage<T>(DecidingHandler<T> handler) implements PartitionWork<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> partition) {
            for (int i = 0; i < partition.size(); i++) {
                Delivery<T> delivery = partition.get(i);
                if (!batch.mayBegin(delivery)) {
                    batch.handBack(delivery);
                    return i;
                }
                @Nullable
                Delivery<T> following = i + 1 < partition.size() ? partition.get(i + 1) : null;
                boolean isGoingOn;
                try {
                    Outcome outcome = batch.handle(delivery,
                            () -> requireNonNull(handler.decide(delivery), "the handler decided null"));
                    isGoingOn = batch.settle(delivery, outcome, following);
                } catch (Throwable failure) {
                    isGoingOn = batch.settleFailure(delivery, failure, following);
                }
                if (!isGoingOn) {
                    return i + 1;
                }
            }
            return partition.size();
        }
    }

    record WholePartition<T>(BatchHandler<T> handler) implements PartitionWork<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> partition) {
            if (!batch.mayBegin(partition.getFirst())) {
                batch.handBack(partition.getFirst());
                return 0;
            }
            try {
                batch.handleAll(partition, () -> {
                    handler.handle(partition);
                    return true;
                });
                partition.forEach(batch::ack);
            } catch (Throwable failure) {
                List<Delivery<T>> open = partition.stream().filter(each -> !each.isSettled()).toList();
                if (!open.isEmpty()) {
                    blame(batch, open, failure);
                }
            }
            return partition.size();
        }

        /** Those that cannot be decoded, and the others are delivered again; all of them when nobody knows. */
        private static <T> void blame(BatchRun<T> batch, List<Delivery<T>> open, Throwable failure) {
            List<Delivery<T>> blamed = open.stream().filter(Delivery::isUndecodable).toList();
            if (blamed.isEmpty()) {
                batch.settleFailures(open, failure);
                return;
            }
            @Nullable
            Delivery<T> innocent = open.stream().filter(each -> !each.isUndecodable()).findFirst().orElse(null);
            for (Delivery<T> each : blamed) {
                if (!batch.settleFailure(each, failure, innocent)) {
                    return;
                }
            }
            if (innocent != null) {
                batch.handBack(innocent);
            }
        }
    }

    /** All of them are gone from the queue already, so a failure of one is no reason to drop the others. */
    record AtMostOnce<T>(Handler<T> handler) implements PartitionWork<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> partition) {
            for (Delivery<T> delivery : partition) {
                try {
                    batch.handle(delivery, () -> {
                        handler.handle(delivery);
                        return true;
                    });
                } catch (Throwable failure) {
                    batch.tellFailed(delivery, failure);
                }
            }
            return partition.size();
        }
    }
}
