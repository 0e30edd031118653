package io.queenmq.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.queenmq.client.Codec;
import io.queenmq.client.Queen;
import io.queenmq.client.QueenBuilder;
import io.queenmq.client.Tracing;
import io.queenmq.client.operator.QueueDefinition;
import javax.net.ssl.SSLContext;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * The beans that each starter provides, for Spring Boot 3 and 4. A bean of the application replaces the one of the same
 * type. The starters add the codec for the application's mapper, and health.
 */
@AutoConfiguration(afterName = {
    "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
    "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
    "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
    "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"})
@EnableConfigurationProperties(QueenProperties.class)
public final class QueenAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Queen queen(QueenProperties properties, ObjectProvider<QueenConnectionDetails> connection,
            ObjectProvider<Codec> codec, ObjectProvider<Tracing> tracing, ObjectProvider<QueenTokenSupplier> token,
            ObjectProvider<SslBundles> bundles, ObjectProvider<QueenBuilderCustomizer> customizers) {
        try {
            QueenConnectionDetails details = connection.getIfAvailable(() -> properties::urls);
            QueenBuilder builder = Queen.builder().urls(details.urls()).connectTimeout(properties.connectTimeout())
                    .requestTimeout(properties.requestTimeout()).retryFor(properties.retryFor())
                    .requestsMax(properties.requestsMax());
            codec.ifAvailable(builder::codec);
            tracing.ifAvailable(builder::tracing);
            if (properties.token() != null && !properties.token().isEmpty()) {
                builder.token(properties::token);
            }
            token.ifAvailable(builder::token);
            String bundle = properties.ssl().bundle();
            if (bundle != null && !bundle.isEmpty()) {
                builder.sslContext(sslContext(bundles.getIfAvailable(), bundle));
            }
            customizers.orderedStream().forEach(each -> each.customize(builder));
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new QueenStartupException("The configuration of the Queen client is invalid: " + e.getMessage(),
                    "Correct the properties queen.*, or the QueenBuilderCustomizer bean.", e);
        } catch (NoSuchSslBundleException e) {
            throw new QueenStartupException("queen.ssl.bundle is '" + e.getBundleName() + "', which is not defined",
                    "Define it with the properties spring.ssl.bundle.*, or correct queen.ssl.bundle.", e);
        }
    }

    private static SSLContext sslContext(@Nullable SslBundles bundles, String name) {
        if (bundles == null) {
            throw new QueenStartupException("queen.ssl.bundle is '" + name + "', but there is no SslBundles bean",
                    "Enable Spring Boot's SslAutoConfiguration, or use a QueenBuilderCustomizer bean.", null);
        }
        return bundles.getBundle(name).createSslContext();
    }

    @Bean
    @ConditionalOnMissingBean(QueenOperations.class)
    QueenTemplate queenTemplate(Queen queen, ObjectProvider<JoinedTransaction> transaction,
            ObjectProvider<Meters> meters) {
        return new QueenTemplate(queen, transaction.getIfAvailable(() -> JoinedTransaction.NONE),
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
     * Joins transactions of an application with JDBC. With several DataSources the primary one is used. Without a
     * primary one the application fails to start, because pushes outside of the transaction would be unexpected.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DataSource.class, DataSourceUtils.class})
    @ConditionalOnProperty(name = "queen.join-transactions", matchIfMissing = true)
    static final class TransactionConfiguration {
        @Bean
        JoinedTransaction queenJoinedTransaction(Queen queen, ObjectProvider<DataSource> dataSources) {
            DataSource dataSource = dataSources.getIfAvailable();
            return dataSource == null ? JoinedTransaction.NONE : new DataSourceTransaction(queen, dataSource);
        }

        @Bean
        SmartInitializingSingleton queenCommitMarks(ObjectProvider<ConfigurableTransactionManager> managers) {
            return () -> CommitMark.listenTo(managers);
        }
    }

    /** Propagates traces if the application has observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static final class ObservationConfiguration {
        @Bean
        @ConditionalOnMissingBean
        Tracing queenTracing(ObjectProvider<ObservationRegistry> registries) {
            ObservationRegistry registry = registries.getIfUnique();
            return registry == null ? Tracing.NONE : new ObservedTracing(registry);
        }
    }

    /** Links the spans of batches if the application has tracing. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracer.class, Propagator.class, ObservationRegistry.class})
    static final class TracingConfiguration {
        @Bean
        @ConditionalOnBean({Tracer.class, Propagator.class})
        LinkingProcessHandler queenLinkingProcessHandler(Tracer tracer, Propagator propagator) {
            return new LinkingProcessHandler(tracer, propagator);
        }
    }

    /** Records meters if the application has a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static final class MeterConfiguration {
        @Bean
        Meters queenMeters(ObjectProvider<MeterRegistry> registries, Queen queen) {
            MeterRegistry registry = registries.getIfUnique();
            return registry == null ? Meters.NONE : new MicrometerMeters(registry, new Backlogs(queen));
        }
    }
}
