package io.queenmq.spring.modulith;

import io.queenmq.spring.QueenAutoConfiguration;
import io.queenmq.spring.QueenOperations;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.support.EventExternalizationTransport;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.modulith.events.support.OutboxEventExternalizer;
import org.springframework.modulith.events.support.OutboxEventExternalizerFactory;
import org.springframework.util.ClassUtils;

/**
 * Externalizes the events of Spring Modulith to Queen:
 *
 * <ul>
 * <li>by default within the transaction that publishes them
 * <li>with {@code queen.join-transactions=false} after the commit, by Modulith and its event publication registry
 * <li>with {@code spring.modulith.events.externalization.mode=outbox} by the outbox that Modulith integrates
 * </ul>
 */
@AutoConfiguration(after = {QueenAutoConfiguration.class, EventExternalizationAutoConfiguration.class})
public final class QueenModulithAutoConfiguration {
    private static final String TRANSPORT = "org.springframework.modulith.events.support.EventExternalizationTransport";
    private static final String ENABLED = "spring.modulith.events.externalization.enabled";
    private static final String MODE = "spring.modulith.events.externalization.mode";
    private static final String JOIN = "queen.join-transactions";

    @Bean
    static OptionalEventRegistry queenOptionalEventRegistry() {
        return new OptionalEventRegistry();
    }

    @Bean
    @ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
    EventPusher queenEventPusher(QueenOperations queen, EventExternalizationConfiguration configuration,
            BeanFactory beans, Environment environment) {
        requireSupported(environment);
        return new EventPusher(queen, configuration, beans);
    }

    /** With an older Modulith, these settings would silently push no events. */
    private static void requireSupported(Environment environment) {
        boolean isJoining = environment.getProperty(JOIN, Boolean.class, true);
        String mode = environment.getProperty(MODE, "module-listener");
        if ((!isJoining || !mode.equals("module-listener"))
                && !ClassUtils.isPresent(TRANSPORT, QueenModulithAutoConfiguration.class.getClassLoader())) {
            throw new IllegalStateException(
                    (isJoining ? MODE + " is " + mode : JOIN + " is false") + ", which requires Spring Modulith 2.1 or"
                            + " newer to externalize events to Queen; update it, or remove the property");
        }
    }

    /** Pushes within the transaction. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
    @ConditionalOnProperty(name = MODE, havingValue = "module-listener", matchIfMissing = true)
    static final class TransactionConfiguration {
        @Bean
        @ConditionalOnBooleanProperty(name = JOIN, matchIfMissing = true)
        TransactionalExternalizer queenTransactionalExternalizer(QueenOperations queen,
                EventExternalizationConfiguration configuration, EventPusher pusher) {
            return new TransactionalExternalizer(queen, configuration, pusher);
        }
    }

    /** Lets Modulith 2.1 or newer call the pusher. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
    @ConditionalOnClass(name = TRANSPORT)
    static final class TransportConfiguration {
        /** Pushes after the commit. */
        @Bean
        @ConditionalOnProperty(name = MODE, havingValue = "module-listener", matchIfMissing = true)
        @ConditionalOnBooleanProperty(name = JOIN, havingValue = false)
        EventExternalizerModuleListener queenEventExternalizer(EventExternalizationConfiguration configuration,
                EventPusher pusher) {
            return new EventExternalizerModuleListener(configuration, transport(pusher));
        }

        /** Called by the outbox with each stored event. */
        @Bean
        @ConditionalOnProperty(name = MODE, havingValue = "outbox")
        OutboxEventExternalizer queenOutboxEventExternalizer(OutboxEventExternalizerFactory factory,
                EventPusher pusher) {
            return factory.forTransport(transport(pusher));
        }

        private static EventExternalizationTransport transport(EventPusher pusher) {
            return (event, target) -> CompletableFuture.completedFuture(pusher.push(event, target));
        }
    }
}
