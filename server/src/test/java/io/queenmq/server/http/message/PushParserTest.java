package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.engine.push.TransactionHash;
import io.queenmq.server.http.json.BadRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushParserTest {
    private static final String TRACE = "0190a5e0-0000-7000-8000-00000000000a";

    private final PushParser parser = new PushParser(new MessageIds(() -> 1_700_000_000_000L));

    @Test
    void readsEveryFieldOfAMessage() {
        PushItem item = parseOne("{\"queue\":\"q\",\"partition\":\"p\",\"transactionId\":\"t\",\"traceId\":\"" + TRACE
                + "\",\"payload\":{\"a\":1}}");

        assertThat(item.queue()).isEqualTo("q");
        assertThat(item.partition()).isEqualTo("p");
        assertThat(item.transactionId()).isEqualTo("t");
        assertThat(item.hash()).isEqualTo(TransactionHash.of("t"));
        assertThat(item.traceId()).isEqualTo(TRACE);
        assertThat(text(item)).isEqualTo("{\"id\":\"" + item.messageId() + "\",\"transactionId\":\"t\",\"traceId\":\""
                + TRACE + "\",\"producerSub\":null,\"data\":{\"a\":1}}\n");
    }

    @Test
    void missingFieldsHaveDefaults() {
        PushItem item = parseOne("{\"queue\":\"q\"}");

        assertThat(item.partition()).isEqualTo("Default");
        assertThat(item.transactionId()).hasSize(36).isNotEqualTo(item.messageId().toString());
        assertThat(text(item)).isEqualTo("{\"id\":\"" + item.messageId() + "\",\"transactionId\":\""
                + item.transactionId() + "\",\"traceId\":null,\"producerSub\":null,\"data\":null}\n");
    }

    @Test
    void keepsTheOrderOfMessagesAndIgnoresUnknownFields() {
        List<PushItem> items = parse(
                "{\"bufferMs\":[1,{\"items\":3}],\"items\":[{\"queue\":\"a\",\"x\":{\"queue\":\"b\"}},"
                        + "{\"extra\":[[]],\"queue\":\"c\"}],\"bufferMax\":null}");

        assertThat(items).extracting(PushItem::queue).containsExactly("a", "c");
    }

    @Test
    void anEmptyListIsAccepted() {
        assertThat(parse("{\"items\":[]}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "false", "0", "-0.0", "1e400", "123456789012345678901234567890", "\"\"",
        "\"a\\u0000b\"", "\"\\ud800\"", "\"é😀\"", "[]", "{}", "{\"a\":1,\"a\":2}", "{ \"a\" :\t[ 1 , 2 ] }",
        "{\"z\":1,\"a\":{\"payload\":\"}\"}}", "\"\\\\\\\"}\"", "[1,[2,[3]]]"})
    void payloadStaysByteForByte(String payload) {
        assertThat(dataOf(parseOne("{\"queue\":\"q\",\"payload\":" + payload + "}"))).isEqualTo(payload);
        assertThat(dataOf(parseOne("{\"payload\":" + payload + ",\"queue\":\"q\"}"))).isEqualTo(payload);
        assertThat(dataOf(parseOne("{\"queue\":\"q\" , \"payload\" :  " + payload + "\n }"))).isEqualTo(payload);
    }

    @Test
    void lineBreaksBetweenTokensBecomeSpaces() {
        PushItem item = parseOne("{\"queue\":\"q\",\"payload\":{\r\n\t\"a\": \"x\\ny\",\n\t\"b\": 1\n}}");

        assertThat(dataOf(item)).isEqualTo("{  \t\"a\": \"x\\ny\", \t\"b\": 1 }");
        assertThat(text(item)).containsOnlyOnce("\n").endsWith("}\n");
    }

    @Test
    void escapedNamesOfFieldsAreTheSameNames() {
        assertThat(dataOf(parseOne("{\"que\\u0075e\":\"q\",\"pa\\u0079load\":7}"))).isEqualTo("7");
    }

    @Test
    void theLastOfRepeatedFieldsCounts() {
        assertThat(dataOf(parseOne("{\"queue\":\"q\",\"payload\":1,\"payload\":{\"b\":2}}"))).isEqualTo("{\"b\":2}");
    }

    @Test
    void transactionIdsHaveOneEscapedForm() {
        PushItem item = parseOne("{\"queue\":\"q\",\"transactionId\":\"\\u0041\\/\\u00e9\\t\\u0001\\\"\\\\\"}");

        assertThat(item.transactionId()).isEqualTo("A/é\t\u0001\"\\");
        assertThat(text(item)).contains("\"transactionId\":\"A/é\\t\\u0001\\\"\\\\\",\"traceId\"");
    }

    @Test
    void veryLongStringsAndNumbersPass() {
        String payload = "[" + "9".repeat(50_000) + ",\"" + "x".repeat(200_000) + "\",{\"" + "k".repeat(60_000)
                + "\":1}]";

        assertThat(dataOf(parseOne("{\"queue\":\"q\",\"payload\":" + payload + "}"))).isEqualTo(payload);
    }

    @Test
    void aCharacterOfANameMayHaveTwoUnits() {
        String name = "😀".repeat(255);

        assertThat(parseOne("{\"queue\":\"" + name + "\"}").queue()).isEqualTo(name);
    }

    @Nested
    class Refuses {
        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{}                                          | queue is missing",
            "{\"queue\":1}                               | queue must be a string",
            "{\"queue\":null}                            | queue must be a string",
            "{\"queue\":\"\"}                            | queue must not be empty",
            "{\"queue\":\"a/b\"}                         | queue must not contain '/'",
            "{\"queue\":\"a\\u0000\"}                    | queue must not contain the character NUL",
            "{\"queue\":\"\\ud800\"}                     | queue must not contain an unpaired surrogate",
            "{\"queue\":\"\\udc00\\ud800\"}              | queue must not contain an unpaired surrogate",
            "{\"queue\":\"q\",\"partition\":null}        | partition must be a string",
            "{\"queue\":\"q\",\"partition\":\"\"}        | partition must not be empty",
            "{\"queue\":\"q\",\"partition\":[]}          | partition must be a string",
            "{\"queue\":\"q\",\"transactionId\":null}    | transactionId must be a string",
            "{\"queue\":\"q\",\"transactionId\":5}       | transactionId must be a string",
            "{\"queue\":\"q\",\"transactionId\":\"\"}    | transactionId must not be empty",
            "{\"queue\":\"q\",\"transactionId\":\"\\u0000\"} | transactionId must not contain the character NUL",
            "{\"queue\":\"q\",\"traceId\":null}          | traceId must be a string",
            "{\"queue\":\"q\",\"traceId\":{}}            | traceId must be a string",
            "{\"queue\":\"q\",\"traceId\":\"\"}          | traceId must be a UUID",
            "{\"queue\":\"q\",\"traceId\":\"1-1-1-1-1\"} | traceId must be a UUID",
            "{\"queue\":\"q\",\"traceId\":\"+190a5e0-0000-7000-8000-00000000000a\"} | traceId must be a UUID",
            "{\"queue\":\"q\",\"traceId\":\"0190a5e0-0000-7000-8000-0000000000-a\"} | traceId must be a UUID"})
        void aMessageThatIsWrong(String item, String problem) {
            assertBad("{\"items\":[{\"queue\":\"q\"}," + item + "]}", "items[1]." + problem);
        }

        @Test
        void namesThatAreTooLong() {
            assertBad("{\"items\":[{\"queue\":\"" + "q".repeat(256) + "\"}]}",
                    "items[0].queue must not be longer than 255 characters");
            assertBad("{\"items\":[{\"queue\":\"q\",\"partition\":\"" + "😀".repeat(256) + "\"}]}",
                    "items[0].partition must not be longer than 255 characters");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"{}                  | items must be an array",
            "{\"items\":null}    | items must be an array", "{\"items\":{}}      | items must be an array",
            "{\"items\":[1]}     | items[0] must be an object", "{\"items\":[null]}  | items[0] must be an object",
            "[]                  | the body must be a JSON object",
            "7                   | the body must be a JSON object",
            "{\"items\":[]}{}    | the body must be one JSON value, but more text follows it"})
        void aBodyOfTheWrongShape(String body, String problem) {
            assertBad(body, problem);
        }

        @ParameterizedTest
        @ValueSource(strings = {"{", "{\"items\":[", "{\"items\":[{\"queue\":\"q\"}]",
            "{\"items\":[{\"queue\":\"q\",}]}", "{\"items\":[{\"queue\":\"q\",\"payload\":}]}",
            "{\"items\":[{\"queue\":\"q\",\"payload\":01}]}", "{\"items\":[{\"queue\":\"q\",\"payload\":nul}]}",
            "{\"items\":[{\"queue\":\"q\",\"payload\":NaN}]}", "{\"items\":[{\"queue\":\"q\",\"payload\":\"a\nb\"}]}",
            "{\"items\":[{\"queue\":\"q\",\"payload\":\"\\x\"}]}", "{\"items\":[{\"queue\":\"q\",\"payload\":[1 2]}]}",
            "{\"items\":[{\"queue\":\"q\",\"payload\":'a'}]}",
            "{\"items\":[{\"queue\":\"q\",\"payload\":\"\\u00g0\"}]}", "{\"items\":[{\"queue\":\"q\",\"payload\":1.}]}",
            "{\"items\":[{\"queue\":\"q\",\"payload\":[}]}]}", "\u0000{", "{\u0000\"items\":[]}", "   "})
        void invalidJsonIsRejected(String body) {
            assertThatThrownBy(() -> parse(body)).isInstanceOf(BadRequest.class);
        }

        @Test
        void everyTruncationOfABody() {
            String body = "{\"items\":[{\"queue\":\"q\",\"traceId\":\"" + TRACE
                    + "\",\"payload\":{\"é\":[1.5,true]}}]}";
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            for (int length = 0; length < bytes.length; length++) {
                byte[] part = java.util.Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> parser.parse(part, null)).isInstanceOf(BadRequest.class);
            }
        }

        /** The JSON parser accepts it in a value, but not in a name. */
        @Test
        void anUnpairedSurrogateInTheNameOfAField() {
            assertThatThrownBy(() -> parseOne("{\"queue\":\"q\",\"payload\":{\"\\ud83d\":1}}"))
                    .isInstanceOf(BadRequest.class);
        }

        @Test
        void nestingWithoutEnd() {
            String deep = "[".repeat(2_000) + "]".repeat(2_000);
            assertThatThrownBy(() -> parseOne("{\"queue\":\"q\",\"payload\":" + deep + "}"))
                    .isInstanceOf(BadRequest.class).hasMessageContaining("nesting");
        }

        @ParameterizedTest
        @ValueSource(strings = {"80", "c080", "c328", "e08080", "eda080", "f4908080", "f8888080", "e282", "ff", "c2"})
        void invalidUtf8IsRejected(String hex) {
            byte[] wrong = java.util.HexFormat.of().parseHex(hex);
            byte[] body = concat("{\"items\":[{\"queue\":\"q\",\"payload\":\"", wrong, "\"}]}");
            assertThatThrownBy(() -> parser.parse(body, null)).isInstanceOf(BadRequest.class)
                    .hasMessage("the body is not valid UTF-8");
        }

        @Test
        void utf16() {
            byte[] body = "{\"items\":[]}".getBytes(StandardCharsets.UTF_16BE);
            assertThatThrownBy(() -> parser.parse(body, null)).isInstanceOf(BadRequest.class);
        }

        private void assertBad(String body, String problem) {
            assertThatThrownBy(() -> parse(body)).isInstanceOf(BadRequest.class).hasMessage(problem);
        }
    }

    private List<PushItem> parse(String body) {
        return parser.parse(body.getBytes(StandardCharsets.UTF_8), null);
    }

    private PushItem parseOne(String item) {
        return parse("{\"items\":[" + item + "]}").getFirst();
    }

    private static String text(PushItem item) {
        return new String(item.line(), StandardCharsets.UTF_8);
    }

    private static String dataOf(PushItem item) {
        String line = text(item);
        return line.substring(line.indexOf("\"data\":") + 7, line.length() - 2);
    }

    private static byte[] concat(String before, byte[] middle, String after) {
        var out = new java.io.ByteArrayOutputStream();
        out.writeBytes(before.getBytes(StandardCharsets.UTF_8));
        out.writeBytes(middle);
        out.writeBytes(after.getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}
