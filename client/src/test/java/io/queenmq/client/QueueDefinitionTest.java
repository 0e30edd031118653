package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.QueueDefinition;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.client.operator.Queues;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Queue definitions of an application. */
class QueueDefinitionTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final Queues queues = server.queen().operator().queues();
    private final QueueDefinition definition = QueueDefinition.of(name).namespace("shop").task("bill")
            .options(QueueOptions.of().retryLimit(7));

    @Test
    void aMissingQueueIsCreated() {
        queues.define(definition);

        var found = queues.find(name).orElseThrow();
        assertThat(found.options().retryLimit()).isEqualTo(7);
        assertThat(found.namespace()).isEqualTo("shop");
        assertThat(found.task()).isEqualTo("bill");
    }

    @Test
    void anExistingQueueKeepsItsOptions() {
        queues.configure(name, QueueOptions.of().retryLimit(1));
        queues.define(definition);

        assertThat(queues.find(name).orElseThrow().options().retryLimit()).isOne();
    }

    @Test
    void onlyDifferentOptionsAreLogged() {
        Logger logger = (Logger) LoggerFactory.getLogger(Queues.class);
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.setContext(logger.getLoggerContext());
        events.start();
        logger.addAppender(events);
        try {
            QueueOptions wanted = QueueOptions.of().retryLimit(7).retryBackoff(2).encryptionEnabled(false)
                    .leaseTime(Duration.ofMinutes(1));
            queues.define(definition.options(wanted));
            queues.define(definition.options(wanted));
            assertThat(events.list).isEmpty();

            queues.define(definition.options(wanted.retryBackoff(1.5)));
            assertThat(events.list).singleElement().asString().contains("retryBackoff is 2", "1.5");
        } finally {
            logger.detachAppender(events);
        }
    }

    @Test
    void anExistingQueueIsChangedIfConfigured() {
        queues.configure(name, QueueOptions.of().retryLimit(1));
        queues.define(definition.changing());

        assertThat(queues.find(name).orElseThrow().options().retryLimit()).isEqualTo(7);
    }

    @Test
    void aMissingRequiredQueueIsAnErrorWithAdvice() {
        assertThatThrownBy(() -> queues.define(definition.required())).isInstanceOf(RefusedException.class)
                .hasMessageContaining("'" + name + "' does not exist")
                .hasMessageContaining("queen queue configure " + name);
        assertThat(queues.find(name)).isEmpty();

        queues.configure(name, QueueOptions.of());
        queues.define(definition.required());
    }
}
