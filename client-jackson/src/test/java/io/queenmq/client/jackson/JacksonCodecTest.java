package io.queenmq.client.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.queenmq.client.Codec;
import io.queenmq.client.error.CodecException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class JacksonCodecTest {
    private final JacksonCodec codec = new JacksonCodec();

    record Order(String customer, int total, Instant placedAt, Duration patience) {}

    @Test
    void aRecordGoesThereAndBack() {
        Order order = new Order("Ada", 10, Instant.parse("2025-01-02T03:04:05Z"), Duration.ofMinutes(5));

        byte[] json = codec.encode(order);

        assertThat(json).asString().isEqualTo(
                "{\"customer\":\"Ada\",\"total\":10,\"placedAt\":\"2025-01-02T03:04:05Z\",\"patience\":\"PT5M\"}");
        assertThat(codec.decode(json, Order.class)).isEqualTo(order);
    }

    @Test
    void genericTypesAreKept() {
        byte[] json = "[{\"customer\":\"Ada\"}]".getBytes(StandardCharsets.UTF_8);

        Object orders = codec.decode(json, new TypeReference<List<Order>>() {}.getType());

        assertThat(orders).isEqualTo(List.of(new Order("Ada", 0, null, null)));
    }

    @Test
    void aFieldThatIsNotKnownIsPassedOver() {
        assertThat(codec.decode("{\"customer\":\"Ada\",\"new\":1}".getBytes(StandardCharsets.UTF_8), Order.class))
                .isEqualTo(new Order("Ada", 0, null, null));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> codec.decode("[]".getBytes(StandardCharsets.UTF_8), Order.class))
                .isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> codec.encode(new Object())).isInstanceOf(CodecException.class);
    }

    @Test
    void theApplicationsMapperIsUsedIfItHasOne() {
        ObjectMapper mapper = new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

        record Line(int unitPrice) {}
        assertThat(new JacksonCodec(mapper).encode(new Line(3))).asString().isEqualTo("{\"unit_price\":3}");
    }

    @Test
    void itIsFoundByBeingThere() {
        assertThat(ServiceLoader.load(Codec.class)).hasExactlyElementsOfTypes(JacksonCodec.class);
    }
}
