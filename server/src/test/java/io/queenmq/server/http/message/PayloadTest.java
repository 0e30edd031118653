package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.http.json.Names;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PayloadTest {
    private final ObjectMapper mapper = new ObjectMapper();
    private final PushParser parser = new PushParser(new MessageIds(() -> 0));

    @Property(tries = 300)
    void anyPayloadComesBackByteForByteButForLineBreaks(@ForAll("values") String payload) throws Exception {
        String body = "{\"items\":[{\"queue\":\"q\",\"payload\":" + payload + "},{\"payload\": " + payload
                + " ,\"queue\":\"q\"}]}";

        List<PushItem> items = parser.parse(body.getBytes(StandardCharsets.UTF_8), null);

        for (PushItem item : items) {
            String line = new String(item.line(), StandardCharsets.UTF_8);
            assertThat(line.substring(line.indexOf("\"data\":") + 7))
                    .isEqualTo(payload.replace('\n', ' ').replace('\r', ' ') + "}\n");
            assertThat(mapper.readTree(line).get("data")).isEqualTo(mapper.readTree(payload));
        }
    }

    @Property(tries = 300)
    void anyTransactionIdSurvivesItsEscaping(@ForAll("names") String transactionId) throws Exception {
        String body = "{\"items\":[{\"queue\":\"q\",\"transactionId\":" + mapper.writeValueAsString(transactionId)
                + "}]}";

        PushItem item = parser.parse(body.getBytes(StandardCharsets.UTF_8), null).getFirst();

        assertThat(item.transactionId()).isEqualTo(transactionId);
        assertThat(mapper.readTree(item.line()).get("transactionId").textValue()).isEqualTo(transactionId);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().ofMinLength(1).ofMaxLength(60)
                .filter(text -> Names.problemOf(text) == null);
    }

    @Provide
    Arbitrary<String> values() {
        return Arbitraries.lazyOf(this::scalars, this::scalars, this::arrays, this::objects);
    }

    private Arbitrary<String> scalars() {
        Arbitrary<String> numbers = Arbitraries.of("0", "-0", "1e5", "-1.50E-3", "12345678901234567890123456789012345");
        Arbitrary<String> words = Arbitraries.of("null", "true", "false");
        return Arbitraries.oneOf(numbers, words, texts());
    }

    private Arbitrary<String> texts() {
        return textsOf(
                Arbitraries.of("a", "é", "😀", "\\n", "\\u0000", "\\ud83d", "\\\"", "\\\\", "}", "]", ",", "\u2028",
                        "\u007f", "/", "\\/"));
    }

    /** Without half characters: the JSON parser takes them in values only. */
    private Arbitrary<String> keys() {
        return textsOf(
                Arbitraries.of("a", "é", "😀", "\\t", "\\u0000", "\\ud83d\\ude00", "\\\"", ":", "data", "payload"));
    }

    private static Arbitrary<String> textsOf(Arbitrary<String> parts) {
        return parts.list().ofMaxSize(6).map(list -> "\"" + String.join("", list) + "\"");
    }

    private Arbitrary<String> arrays() {
        return values().list().ofMaxSize(3).flatMap(items -> spaces().map(
                space -> "[" + space + String.join(space + "," + space, items) + space + "]"));
    }

    private Arbitrary<String> objects() {
        Arbitrary<String> fields = keys().flatMap(key -> values().flatMap(value -> spaces().map(
                space -> key + space + ":" + space + value)));
        return fields.list().ofMaxSize(3).flatMap(list -> spaces().map(
                space -> "{" + space + String.join("," + space, list) + space + "}"));
    }

    private Arbitrary<String> spaces() {
        return Arbitraries.of("", " ", "\t", "\n", "\r\n", "  \n\t");
    }
}
