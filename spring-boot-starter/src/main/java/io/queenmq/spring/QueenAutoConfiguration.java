package io.queenmq.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.client.Codec;
import io.queenmq.client.Queen;
import io.queenmq.client.QueenBuilder;
import io.queenmq.client.jackson.JacksonCodec;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** What an application gets by having the starter; a bean of its own goes before each of these. */
@AutoConfiguration
@EnableConfigurationProperties(QueenProperties.class)
public final class QueenAutoConfiguration {
    /** With the application's own Jackson 2 mapper, if it has one. */
    @Bean
    @ConditionalOnMissingBean
    Codec queenCodec(ObjectProvider<ObjectMapper> mappers) {
        ObjectMapper mapper = mappers.getIfUnique();
        return mapper == null ? new JacksonCodec() : new JacksonCodec(mapper);
    }

    @Bean
    @ConditionalOnMissingBean
    Queen queen(QueenProperties properties, Codec codec) {
        QueenBuilder builder = Queen.builder().urls(properties.urls()).codec(codec)
                .connectTimeout(properties.connectTimeout()).requestTimeout(properties.requestTimeout())
                .retryFor(properties.retryFor());
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

    /** Where the application tells how it is. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static final class Telling {
        @Bean
        @ConditionalOnProperty(name = "management.health.queen.enabled", matchIfMissing = true)
        @ConditionalOnMissingBean(name = "queenHealthIndicator")
        HealthIndicator queenHealthIndicator(Queen queen, QueenListeners listeners) {
            return new QueenHealthIndicator(queen, listeners);
        }
    }
}
