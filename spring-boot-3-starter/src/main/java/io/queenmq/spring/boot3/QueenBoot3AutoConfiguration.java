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

/** The additional beans for Spring Boot 3. A bean of the application replaces the one of the same type. */
@AutoConfiguration(before = QueenAutoConfiguration.class)
public final class QueenBoot3AutoConfiguration {
    /** Uses the application's mapper, which {@code spring.jackson.*} configures, or the default mapper of the codec. */
    @Bean
    @ConditionalOnMissingBean
    Codec queenCodec(ObjectProvider<ObjectMapper> mappers) {
        ObjectMapper mapper = mappers.getIfUnique();
        return mapper == null ? new JacksonCodec() : new JacksonCodec(mapper);
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
