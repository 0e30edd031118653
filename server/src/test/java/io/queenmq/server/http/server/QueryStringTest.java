package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.server.http.TestApi;
import io.queenmq.server.http.json.BadRequest;
import java.net.Socket;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A query has one meaning, or is rejected. A decoder that replaces, drops or cuts off a part of it would read from another
 * queue or group than the client names.
 */
@Timeout(60)
class QueryStringTest {
    private static final String ESCAPE = "the address has a % that is not followed by two hexadecimal digits";
    private static final String UTF_8 = "the address is not valid UTF-8";

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%2", "a=%zz", "a=%2g", "a=%g2", "a=%+1", "a=%-1", "a=% 1", "a=%%20", "a=%2&b=0",
        "a=1&b=%", "%=1", "%zz=1", "a%", "a=1&a=%zz", "a=%\u0661\u0661", "a=%\u00e9\u00e9"})
    void anIncompleteEscapeIsRejected(String query) {
        assertRejected(query, ESCAPE);
    }

    /** An unescaped byte arrives as one character. */
    @ParameterizedTest
    @ValueSource(strings = {"a=%ff", "a=%fe%ff", "%ff=1", "a=1&b=%ff", "a=%80", "a=%c3", "a=%c3&b=%a9", "a=%c3=%a9",
        "a=%e2%82", "a=%c0%af", "a=%c1%81", "a=%e0%80%af", "a=%f0%80%80%af", "a=%c0%80", "a=%ed%a0%80",
        "a=%ed%a0%bd%ed%b8%80", "a=%f4%90%80%80", "a=%f8%88%80%80%80", "a=\u00e9", "a=\u00ff", "a=\u00c3x", "\u00e9=1"})
    void invalidUtf8IsRejected(String query) {
        assertRejected(query, UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", value = {
        // Escapes, in either case, and decoded once.
        "a=%41|A", "a=%c3%a9|\u00e9", "a=%C3%A9|\u00e9", "a=%f0%9f%98%80|\ud83d\ude00", "a=%2541|%41", "%61=1|1",
        "a=%00|'\0'", "a=x%00y|x\0y", "a=%ef%bf%bd|\ufffd",
        // Unescaped bytes, alone and as a part of a character that begins or ends with an escape.
        "a=\u00c3\u00a9|\u00e9", "a=%c3\u00a9|\u00e9", "a=\u00c3%a9|\u00e9",
        // A plus is a space, an escaped plus is a plus.
        "a=x+y|x y", "a=+|' '", "a=x%2By|x+y", "a=x%20y|x y",
        // The first of several counts, also if it is empty or its name is escaped.
        "a=1&a=2|1", "a=&a=2|''", "a&a=2|''", "%61=1&a=2|1", "b=0&a=1&a=2|1",
        // Empty and missing names and values.
        "a|''", "a=|''", "=1|''", "=a|''", "=|''", "&|''", "&&|''", "=&=|''", "&a=1|1", "a=1&|1", "&&a=1&&|1",
        "b=1&=2&a=3|3", "=1&a=2|2", "==a|''",
        // Other separators are a part of the name or value.
        "a=1;b=2|1;b=2", "b=1;a=2|''", ";a=1|''", "a=1,2|1,2", "a=b=c|b=c", "a==|=", "a=%26b=1|&b=1", "a%3D1=2|''",
        "a=1?b=2|1?b=2", "a=1#b|1#b", "b=0#&a=1|1", "a=x/y|x/y",
        // Names are equal as a whole, in the same case.
        "A=1|''", "aa=1|''", "+a=1|''", "a[]=1|''"})
    void aParameterHasOneMeaning(String query, String value) {
        assertThat(QueryString.parse(query).text("a")).isEqualTo(value);
    }

    @Test
    void anEmptyNameIsANameOfItsOwn() {
        assertThat(QueryString.parse("a=1&=2").text("")).isEqualTo("2");
    }

    @Test
    void withoutAQueryThereAreNoParameters() {
        assertThat(QueryString.parse(null).text("a")).isEmpty();
        assertThat(QueryString.parse("").text("a")).isEmpty();
    }

    /** The length of a request line limits their number. */
    @Test
    void noneOfManyParametersIsDropped() {
        String many = IntStream.range(0, 5_000).mapToObj(i -> "p" + i + "=" + i).collect(Collectors.joining("&"));

        assertThat(QueryString.parse(many).text("p4999")).isEqualTo("4999");
        assertRejected(many + "&a=%", ESCAPE);
    }

    @ParameterizedTest
    @CsvSource({"a=7,7", "a=-7,-7", "a=%37,7", "a=+7,5", "a=%2B7,7", "a=,5", "b=7,5", "a=seven,5", "a=7.0,5",
        "a=2147483648,5"})
    void nonIntegersSelectTheDefault(String query, int value) {
        assertThat(QueryString.parse(query).integer("a", 5)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"a=true,true", "a=1,true", "a=%31,true", "a=false,false", "a=0,false", "a=TRUE,false", "a=yes,false",
        "a=,false", "a,false", "b=true,false", "a=false&a=true,false"})
    void aFlagIsTrueOr1(String query, boolean value) {
        assertThat(QueryString.parse(query).flag("a")).isEqualTo(value);
    }

    /** Also in parameters that the route does not have. */
    @ParameterizedTest
    @CsvSource({"consumerGroup=%zz," + ESCAPE, "other=%," + ESCAPE, "consumerGroup=%ff," + UTF_8,
        "consumerGroup=%c0%af," + UTF_8, "%ff=1," + UTF_8, "consumerGroup=\u00e9," + UTF_8,
        "consumerGroup=%00,consumerGroup must not contain the character NUL"})
    void aRejectedQueryIsAnswered400WithTheReason(String query, String reason) throws Exception {
        try (TestApi api = new TestApi(); Socket socket = api.socket()) {
            TestApi.write(socket,
                    "GET /api/v1/pop/queue/q?" + query + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 400 ")
                    .endsWith("{\"error\":\"" + reason + "\"}");
            assertThat(api.engine.wasAsked()).isFalse();
        }
    }

    private static void assertRejected(String query, String reason) {
        assertThatThrownBy(() -> QueryString.parse(query)).isInstanceOf(BadRequest.class).hasMessage(reason);
    }
}
