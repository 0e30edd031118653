package io.queenmq.examples.modulith;

import io.queenmq.client.operator.QueueDefinition;
import io.queenmq.spring.QueenHeaders;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/** The application. */
@SpringBootApplication
public class ModulithApplication {
    public static void main(String[] args) {
        SpringApplication.run(ModulithApplication.class, args);
    }

    @Bean
    QueueDefinition modulithOrders() {
        return QueueDefinition.of("modulith-orders");
    }

    // snippet: modulith-headers
    @Bean
    EventExternalizationConfiguration externalization() {
        return EventExternalizationConfiguration.externalizing()
                .select(EventExternalizationConfiguration.annotatedAsExternalized())
                .headers(OrderPlaced.class,
                        event -> Map.of("kind", "placed", QueenHeaders.TRANSACTION_ID, "order-" + event.number()))
                .build();
    }
    // end
}
