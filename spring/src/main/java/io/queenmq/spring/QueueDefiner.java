package io.queenmq.spring;

import io.queenmq.client.Queen;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.QueueDefinition;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Applies the queue definitions of the application before its listeners and its web server start. Called by Spring. */
final class QueueDefiner implements SmartInitializingSingleton {
    private final Queen queen;
    private final ObjectProvider<QueueDefinition> definitions;

    QueueDefiner(Queen queen, ObjectProvider<QueueDefinition> definitions) {
        this.queen = queen;
        this.definitions = definitions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        definitions.orderedStream().forEach(this::define);
    }

    private void define(QueueDefinition definition) {
        try {
            queen.operator().queues().define(definition);
        } catch (QueenException e) {
            throw new QueenStartupException("Cannot define the queue '" + definition.name() + "': " + e.getMessage(),
                    "Check that the server is available (queen.urls), or set queen.define-queues=false to start without"
                            + " defining queues.",
                    e);
        }
    }
}
