package io.queenmq.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.CodecException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @ParameterizedTest
    @ValueSource(strings = {"null", "true", " -0.5e+10 ", "\"\\u00e9\\n\"", "[]", "{}", "[1, [2], {\"a\" : {}}]", "0"})
    void validJsonIsAccepted(String text) {
        assertThat(parse(text).toString()).isEqualTo(text.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "nul", "1 2", "01", "1.", "+1", "-", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\n\"",
        "[1,]", "{,}", "{\"a\"}", "{a:1}", "[", "1}", "{}{}", "'a'", "NaN"})
    void invalidJsonIsRejected(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(CodecException.class);
    }

    @Test
    void deepNestingIsRejectedWithoutStackOverflow() {
        assertThatThrownBy(() -> parse("[".repeat(100_000))).isInstanceOf(CodecException.class);
    }

    @Test
    void missingFieldsAreNull() {
        JsonNode node = parse(
                "{\"a\\u0062\": \"x\\ty\\ud83d\\ude00\", \"n\": 12, \"list\": [1, {\"deep\": true}], \"none\": null}");

        assertThat(node.get("ab").text()).isEqualTo("x\ty\ud83d\ude00");
        assertThat(node.get("n").number()).isEqualTo(12);
        assertThat(node.get("list").list().get(1).get("deep").bool()).isTrue();
        assertThat(node.get("none").isNull()).isTrue();
        assertThat(node.get("missing").get("further").text()).isNull();
        assertThat(node.get("missing").list()).isEmpty();
    }

    @Test
    void writtenJsonIsReadBack() {
        String nasty = "\"\\\u0000\u001f/\u2028\ud83d\ude00 ü";
        byte[] bytes = new JsonWriter().beginObject().field("text", nasty).field("half", "\ud83d").field("none", null)
                .field("at", Instant.EPOCH).name("list").beginArray().string("a").raw("{}").beginArray().endArray()
                .endArray().field("flag", true).endObject().bytes();

        JsonNode node = JsonNode.parse(bytes);

        assertThat(node.get("text").text()).isEqualTo(nasty);
        assertThat(node.get("half").text()).isEqualTo("\ud83d");
        assertThat(node.fields()).doesNotContainKey("none");
        assertThat(node.get("at").instant()).isEqualTo(Instant.EPOCH);
        assertThat(node.get("list")).hasToString("[\"a\",{},[]]");
        assertThat(node.get("flag").bool()).isTrue();
    }

    private static JsonNode parse(String text) {
        return JsonNode.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
