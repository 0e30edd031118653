package io.queenmq.spring.boot4;

import io.queenmq.client.Codec;
import io.queenmq.client.jackson3.Jackson3Codec;
import io.queenmq.spring.QueenAutoConfiguration;
import io.queenmq.spring.QueenHealth;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The additional beans for Spring Boot 4. A bean of the application replaces the one of the same type. */
@AutoConfiguration(before = QueenAutoConfiguration.class)
public final class QueenBoot4AutoConfiguration {
    /** Uses the application's mapper, which {@code spring.jackson.*} configures, or the default mapper of the codec. */
    @Bean
    @ConditionalOnMissingBean
    Codec queenCodec(ObjectProvider<JsonMapper> mappers) {
        JsonMapper mapper = mappers.getIfUnique();
        return mapper == null ? new Jackson3Codec() : new Jackson3Codec(mapper);
    }

    /** Provides the health indicator if the application has health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static final class HealthConfiguration {
        @Bean
        @ConditionalOnProperty(name = "management.health.queen.enabled", matchIfMissing = true)
        @ConditionalOnMissingBean(name = "queenHealthIndicator")
        HealthIndicator queenHealthIndicator(QueenHealth queen) {
            return new QueenHealthIndicator(queen);
        }
    }
}
