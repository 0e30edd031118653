package io.queenmq.spring.boot3;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.client.Codec;
import io.queenmq.client.jackson.JacksonCodec;
import io.queenmq.spring.QueenAutoConfiguration;
import io.queenmq.spring.QueenHealth;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application of Spring Boot 3 gets beside what all get; a bean of its own goes before each of these. */
@AutoConfiguration(before = QueenAutoConfiguration.class)
public final class QueenBoot3AutoConfiguration {
    /** With the application's own mapper, which {@code spring.jackson.*} configures; with the codec's own where there is none. */
    @Bean
    @ConditionalOnMissingBean
    Codec queenCodec(ObjectProvider<ObjectMapper> mappers) {
        ObjectMapper mapper = mappers.getIfUnique();
        return mapper == null ? new JacksonCodec() : new JacksonCodec(mapper);
    }

    /** Where the application tells how it is. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static final class Telling {
        @Bean
        @ConditionalOnProperty(name = "management.health.queen.enabled", matchIfMissing = true)
        @ConditionalOnMissingBean(name = "queenHealthIndicator")
        HealthIndicator queenHealthIndicator(QueenHealth queen) {
            return new QueenHealthIndicator(queen);
        }
    }
}
