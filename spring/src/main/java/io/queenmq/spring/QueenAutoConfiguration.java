package io.queenmq.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.queenmq.client.Codec;
import io.queenmq.client.Queen;
import io.queenmq.client.QueenBuilder;
import io.queenmq.client.Tracing;
import io.queenmq.client.operator.QueueDefinition;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * What an application gets by having a starter, whatever its Spring Boot; a bean of its own goes before each of these. The
 * starters add what differs: the codec for the application's mapper, and health.
 */
@AutoConfiguration
@EnableConfigurationProperties(QueenProperties.class)
public final class QueenAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Queen queen(QueenProperties properties, ObjectProvider<Codec> codec, ObjectProvider<Tracing> tracing) {
        QueenBuilder builder = Queen.builder().urls(properties.urls()).connectTimeout(properties.connectTimeout())
                .requestTimeout(properties.requestTimeout()).retryFor(properties.retryFor())
                .requestsMax(properties.requestsMax());
        codec.ifAvailable(builder::codec);
        tracing.ifAvailable(builder::tracing);
        if (properties.token() != null && !properties.token().isEmpty()) {
            builder.token(properties::token);
        }
        return builder.build();
    }

    @Bean
    @ConditionalOnMissingBean
    QueenTemplate queenTemplate(Queen queen, ObjectProvider<OwnTransaction> transaction,
            ObjectProvider<Meters> meters) {
        return new QueenTemplate(queen, transaction.getIfAvailable(() -> OwnTransaction.NONE),
                meters.getIfAvailable(() -> Meters.NONE));
    }

    @Bean
    QueenListeners queenListeners(Queen queen, QueenProperties properties, ObjectProvider<Meters> meters,
            ConfigurableListableBeanFactory beans) {
        return new QueenListeners(queen, properties.listener(), meters.getIfAvailable(() -> Meters.NONE), beans);
    }

    @Bean
    QueenHealth queenHealth(Queen queen, QueenListeners listeners) {
        return new QueenHealth(queen, listeners);
    }

    @Bean
    @ConditionalOnProperty(name = "queen.define-queues", matchIfMissing = true)
    QueueDefiner queenQueueDefiner(Queen queen, ObjectProvider<QueueDefinition> definitions) {
        return new QueueDefiner(queen, definitions);
    }

    /**
     * Where the application has JDBC. With several DataSources it is the primary one; where none is, to guess would be to push
     * outside of transactions without a word, so that is an error.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DataSource.class, DataSourceUtils.class})
    @ConditionalOnProperty(name = "queen.join-transactions", matchIfMissing = true)
    static final class Transactions {
        @Bean
        OwnTransaction queenOwnTransaction(Queen queen, ObjectProvider<DataSource> dataSources) {
            DataSource dataSource = dataSources.getIfAvailable();
            return dataSource == null ? OwnTransaction.NONE : new DataSourceTransaction(queen, dataSource);
        }

        @Bean
        SmartInitializingSingleton queenCommitMarks(ObjectProvider<ConfigurableTransactionManager> managers) {
            return () -> CommitMark.listenTo(managers);
        }
    }

    /** Where the application observes. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static final class Observing {
        @Bean
        @ConditionalOnMissingBean
        Tracing queenTracing(ObjectProvider<ObservationRegistry> registries) {
            ObservationRegistry registry = registries.getIfUnique();
            return registry == null ? Tracing.NONE : new ObservedTracing(registry);
        }
    }

    /** Where the application counts. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static final class Counting {
        @Bean
        Meters queenMeters(ObjectProvider<MeterRegistry> registries) {
            MeterRegistry registry = registries.getIfUnique();
            return registry == null ? Meters.NONE : new MicrometerMeters(registry);
        }
    }
}
