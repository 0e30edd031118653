package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls the handler for the deliveries of one partition and stores the outcomes, for each kind of handler. */
sealed interface HandlerInvoker<T> {
    /** Called on the thread of the worker. Returns the number of deliveries passed to the handler. */
    int run(BatchRun<T> batch, List<Delivery<T>> partition);

    record EachMessage<T>(OutcomeHandler<T> handler) implements HandlerInvoker<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> partition) {
            for (int i = 0; i < partition.size(); i++) {
                Delivery<T> delivery = partition.get(i);
                if (!batch.mayStart(delivery)) {
                    batch.release(delivery);
                    return i;
                }
                @Nullable
                Delivery<T> following = i + 1 < partition.size() ? partition.get(i + 1) : null;
                boolean mayContinue;
                try {
                    Outcome outcome = batch.handle(delivery,
                            () -> requireNonNull(handler.decide(delivery), "the handler returned null"));
                    mayContinue = batch.settle(delivery, outcome, following);
                } catch (Throwable failure) {
                    mayContinue = batch.settleFailure(delivery, failure, following);
                }
                if (!mayContinue) {
                    return i + 1;
                }
            }
            return partition.size();
        }
    }

    record WholePartition<T>(BatchOutcomeHandler<T> handler) implements HandlerInvoker<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> partition) {
            if (!batch.mayStart(partition.getFirst())) {
                batch.release(partition.getFirst());
                return 0;
            }
            try {
                batch.settleAll(partition, batch.handleAll(partition, () -> outcomes(partition)));
            } catch (BatchException failure) {
                settleFrom(batch, partition, failure);
            } catch (Throwable failure) {
                List<Delivery<T>> open = partition.stream().filter(each -> !each.isSettled()).toList();
                if (!open.isEmpty()) {
                    settleUndecodable(batch, open, failure);
                }
            }
            return partition.size();
        }

        private List<Outcome> outcomes(List<Delivery<T>> partition) throws Exception {
            List<Outcome> outcomes = requireNonNull(handler.handle(partition), "the handler returned null");
            if (outcomes.size() != partition.size() || outcomes.stream().anyMatch(Objects::isNull)) {
                throw new IllegalStateException("the batch handler returned " + outcomes.size() + " outcomes for "
                        + partition.size() + " messages; return one for each");
            }
            return outcomes;
        }

        /** Acknowledges the messages before the named one, fails that one and releases the rest. */
        private static <T> void settleFrom(BatchRun<T> batch, List<Delivery<T>> partition, BatchException failure) {
            int index = failure.index();
            if (index < 0 || index >= partition.size()) {
                batch.settleFailures(partition, new IllegalStateException("the batch handler named the message " + index
                        + " of a batch of " + partition.size() + " messages", failure));
                return;
            }
            partition.subList(0, index).forEach(batch::ack);
            @Nullable
            Delivery<T> following = index + 1 < partition.size() ? partition.get(index + 1) : null;
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            if (batch.settleFailure(partition.get(index), cause, following) && following != null) {
                batch.release(following);
            }
        }

        /** Fails the undecodable messages and releases the others; fails all of them if each could be decoded. */
        private static <T> void settleUndecodable(BatchRun<T> batch, List<Delivery<T>> open, Throwable failure) {
            List<Delivery<T>> undecodable = open.stream().filter(Delivery::isUndecodable).toList();
            if (undecodable.isEmpty()) {
                batch.settleFailures(open, failure);
                return;
            }
            @Nullable
            Delivery<T> decodable = open.stream().filter(each -> !each.isUndecodable()).findFirst().orElse(null);
            for (Delivery<T> each : undecodable) {
                if (!batch.settleFailure(each, failure, decodable)) {
                    return;
                }
            }
            if (decodable != null) {
                batch.release(decodable);
            }
        }
    }

    /** The messages are finished at the server, so a failure of one is no reason to drop the others. */
    record AtMostOnce<T>(Handler<T> handler) implements HandlerInvoker<T> {
        @Override
        public int run(BatchRun<T> batch, List<Delivery<T>> partition) {
            for (Delivery<T> delivery : partition) {
                try {
                    batch.handle(delivery, () -> {
                        handler.handle(delivery);
                        return true;
                    });
                } catch (Throwable failure) {
                    batch.reportFailure(delivery, failure);
                }
            }
            return partition.size();
        }
    }
}
