package io.queenmq.examples.spring;

import io.queenmq.client.operator.QueueDefinition;
import io.queenmq.client.operator.QueueOptions;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * The application. It has no web server and runs as long as its listener. It needs {@code spring.datasource.*} of the
 * database of Queen, and {@code queen.urls}.
 */
@SpringBootApplication
public class ShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }

    // snippet: spring-queues
    @Bean
    QueueDefinition webOrders() {
        return QueueDefinition.of("web-orders")
                .options(QueueOptions.of().leaseTime(Duration.ofMinutes(1)).retryLimit(5));
    }
    // end
}
