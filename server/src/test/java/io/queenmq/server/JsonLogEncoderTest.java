package io.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class JsonLogEncoderTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.queenmq.Test");

    @Test
    void anEventIsOneLineOfJson() throws Exception {
        String line = encoded(null, "two\nlines with \"quotes\" and {}", "arguments");

        assertThat(line).endsWith("}\n").hasLineCount(1);
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.get("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(json.get("level").asText()).isEqualTo("WARN");
        assertThat(json.get("logger").asText()).isEqualTo("io.queenmq.Test");
        assertThat(json.get("thread").asText()).isEqualTo(Thread.currentThread().getName());
        assertThat(json.get("message").asText()).isEqualTo("two\nlines with \"quotes\" and arguments");
        assertThat(json.has("error")).isFalse();
    }

    @Test
    void anExceptionIsAField() throws Exception {
        String line = encoded(new IllegalStateException("broken"), "failed");

        assertThat(line).hasLineCount(1);
        assertThat(new ObjectMapper().readTree(line).get("error").asText())
                .startsWith("java.lang.IllegalStateException: broken").contains("JsonLogEncoderTest");
    }

    private static String encoded(Throwable error, String message, Object... arguments) {
        LoggingEvent event = new LoggingEvent("", LOGGER, Level.WARN, message, error, arguments);
        return new String(new JsonLogEncoder().encode(event), StandardCharsets.UTF_8);
    }
}
