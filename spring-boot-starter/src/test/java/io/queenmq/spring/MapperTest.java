package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Codec;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Payloads are written by the mapper that the application has configured. */
@QueenTest
class MapperTest {
    record Order(String firstName, Optional<String> nickName, Instant at) {}

    private static final Order ORDER = new Order("Ada", Optional.of("Countess"), Instant.EPOCH);

    private final TestQueen server;
    private final String queue;
    private final ApplicationContextRunner application;

    MapperTest(TestQueen server) {
        this.server = server;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue);
    }

    @Test
    void springJacksonPropertiesConfigureTheMapper() {
        application.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE")
                .run(context -> context.getBean(QueenTemplate.class).push(queue, "a", ORDER));

        assertThat(server.messages(queue, "a")).singleElement().asString().contains("\"first_name\"", "\"Ada\"",
                "\"nick_name\"", "\"Countess\"", "\"1970-01-01T00:00:00Z\"");
    }

    @Test
    void aCodecOfTheApplicationReplacesTheDefault() {
        application.withBean(Codec.class, Shouting::new)
                .run(context -> context.getBean(QueenTemplate.class).push(queue, "a", ORDER));

        assertThat(server.messages(queue, "a")).containsExactly("\"ADA\"");
    }

    static final class Shouting implements Codec {
        @Override
        public byte[] encode(Object value) {
            return "\"ADA\"".getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] json, Type type) {
            return ORDER;
        }
    }
}
