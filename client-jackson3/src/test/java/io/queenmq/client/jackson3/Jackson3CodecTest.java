package io.queenmq.client.jackson3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Codec;
import io.queenmq.client.error.CodecException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class Jackson3CodecTest {
    private final Jackson3Codec codec = new Jackson3Codec();

    record Order(String customer, int total, Instant placedAt, Duration patience) {}

    @Test
    void aRecordIsConvertedInBothDirections() {
        Order order = new Order("Ada", 10, Instant.parse("2025-01-02T03:04:05Z"), Duration.ofMinutes(5));

        byte[] json = codec.encode(order);

        assertThat(json).asString().isEqualTo(
                "{\"customer\":\"Ada\",\"total\":10,\"placedAt\":\"2025-01-02T03:04:05Z\",\"patience\":\"PT5M\"}");
        assertThat(codec.decode(json, Order.class)).isEqualTo(order);
    }

    @Test
    void typesOfTheJdkAreConvertedInBothDirections() {
        JdkTypes some = JdkTypes.some();

        assertThat(codec.decode(codec.encode(some), JdkTypes.class)).isEqualTo(some);
        assertThat(codec.encode(Optional.of(1))).asString().isEqualTo("1");
        assertThat(codec.encode(Optional.empty())).asString().isEqualTo("null");
    }

    /** A payload with common types. */
    record JdkTypes(Optional<String> there, Optional<String> missing, OptionalInt number, Instant moment,
            LocalDate date, OffsetDateTime time, Duration length, ZoneId zone, UUID id, BigDecimal amount, URI address,
            Locale locale, Currency currency, Map<String, List<Integer>> map, Set<DayOfWeek> days) {
        static JdkTypes some() {
            return new JdkTypes(Optional.of("x"), Optional.empty(), OptionalInt.of(7),
                    Instant.parse("2025-01-02T03:04:05.123456789Z"), LocalDate.of(2025, 1, 2),
                    OffsetDateTime.parse("2025-01-02T03:04:05Z"), Duration.ofMillis(1500), ZoneId.of("Europe/Berlin"),
                    new UUID(1, 2), new BigDecimal("12345678901234567890.12345"), URI.create("http://localhost/a"),
                    Locale.GERMANY, Currency.getInstance("EUR"), Map.of("a", List.of(1, 2)), Set.of(DayOfWeek.MONDAY));
        }
    }

    @Test
    void genericTypesAreKept() {
        byte[] json = "[{\"customer\":\"Ada\"}]".getBytes(StandardCharsets.UTF_8);

        Object orders = codec.decode(json, new TypeReference<List<Order>>() {}.getType());

        assertThat(orders).isEqualTo(List.of(new Order("Ada", 0, null, null)));
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(codec.decode("{\"customer\":\"Ada\",\"new\":1}".getBytes(StandardCharsets.UTF_8), Order.class))
                .isEqualTo(new Order("Ada", 0, null, null));
    }

    @Test
    void anInvalidFieldIsNamedWithoutItsOffset() {
        for (String json : List.of("{\"total\":\"much\"}", "{\"customer\":\"Ada\",\n\"total\":\"much\"}")) {
            assertThatThrownBy(() -> codec.decode(json.getBytes(StandardCharsets.UTF_8), Order.class))
                    .isInstanceOf(CodecException.class).hasMessageContaining("[\"total\"]").message().hasLineCount(1)
                    .doesNotContain("line", "byte");
        }
    }

    @Test
    void anInvalidValueIsRejected() {
        assertThatThrownBy(() -> codec.decode("[]".getBytes(StandardCharsets.UTF_8), Order.class))
                .isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> codec.encode(new Broken(1))).isInstanceOf(CodecException.class);
    }

    record Broken(int part) {
        @Override
        public int part() {
            throw new IllegalStateException("the handle is broken");
        }
    }

    @Test
    void theApplicationsMapperIsUsed() {
        JsonMapper mapper = JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

        record Line(int unitPrice) {}
        assertThat(new Jackson3Codec(mapper).encode(new Line(3))).asString().isEqualTo("{\"unit_price\":3}");
    }

    @Test
    void theCodecIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(Codec.class)).hasExactlyElementsOfTypes(Jackson3Codec.class);
    }
}
