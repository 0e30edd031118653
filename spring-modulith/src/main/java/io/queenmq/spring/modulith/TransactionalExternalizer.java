package io.queenmq.spring.modulith;

import io.queenmq.spring.QueenOperations;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/**
 * Pushes each externalized event when it is published, within the active transaction. The message is stored with the
 * rows of the transaction, so there is no relay, and the event publication registry is not used. The partition is
 * locked until the transaction ends, so the messages of a partition are in the order of the commits.
 */
final class TransactionalExternalizer implements ApplicationListener<ApplicationEvent>, Ordered {
    private final QueenOperations queen;
    private final EventExternalizationConfiguration configuration;
    private final EventPusher pusher;

    TransactionalExternalizer(QueenOperations queen, EventExternalizationConfiguration configuration,
            EventPusher pusher) {
        this.queen = queen;
        this.configuration = configuration;
        this.pusher = pusher;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object published = event instanceof PayloadApplicationEvent<?> wrapped ? wrapped.getPayload() : event;
        if (!configuration.supports(published)) {
            return;
        }
        if (queen.isDetachedFromTransaction()) {
            throw new IllegalStateException("cannot push the event " + published.getClass().getName()
                    + " within its transaction, which is not on the DataSource of Queen; publish it in a transaction"
                    + " on that DataSource, or set queen.join-transactions=false to push it after the commit");
        }
        pusher.push(configuration.map(published), configuration.determineTarget(published));
    }

    /** Runs after the other listeners, so that the partition is locked late. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
