package io.queenmq.examples.spring;

import io.queenmq.spring.QueenBuilderCustomizer;
import io.queenmq.spring.QueenTokenSupplier;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings of the client that properties do not have. */
@Configuration(proxyBeanMethods = false)
class ClientSettings {
    // snippet: spring-client
    @Bean
    QueenTokenSupplier queenToken() {
        return () -> System.getenv("QUEEN_TOKEN");
    }

    @Bean
    QueenBuilderCustomizer queenRetries() {
        return builder -> builder.retryFor(Duration.ofMinutes(1));
    }
    // end
}
