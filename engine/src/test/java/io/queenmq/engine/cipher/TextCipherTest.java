package io.queenmq.engine.cipher;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextCipherTest {
    private static final Secret FIRST = key(1);
    private static final Secret SECOND = key(2);
    private static final String ERROR = "card \"4111\" of Zürich 🚀 \n declined";
    private static final String ESCAPED = "card \\\"4111\\\" of Zürich 🚀 \\n declined";

    private final TextCipher cipher = new TextCipher(new EncryptionConfig(FIRST, List.of()));

    @Test
    void aTokenIsReplacedByItsText() {
        String token = cipher.seal(ERROR);

        assertThat(token).matches("queen-sealed:t:[0-9a-f]{8}:[A-Za-z0-9_-]+").doesNotContain("4111");
        assertThat(cipher.shown("{\"error\" : \"" + token + "\", \"reason\":\"Last error: " + token + ". Wait.\"}"))
                .isEqualTo("{\"error\" : \"" + ESCAPED + "\", \"reason\":\"Last error: " + ESCAPED + ". Wait.\"}");
    }

    /** PostgreSQL groups dead letters by error. */
    @Test
    void theSameErrorHasTheSameTokenAndAnotherOneHasAnother() {
        assertThat(cipher.seal(ERROR)).isEqualTo(cipher.seal(ERROR)).isNotEqualTo(cipher.seal(ERROR + "."));
        assertThat(cipher.seal("")).isEqualTo(cipher.seal("")).isNotEqualTo(cipher.seal(" "));
        assertThat(cipher.shown(cipher.seal(""))).isEmpty();
    }

    @Test
    void jsonIsReplacedAsJsonAndHasADifferentTokenEachTime() {
        String json = "{\"a\":[1,\"x\\u0000\"]}";
        String sealed = cipher.sealJson(json);

        assertThat(sealed).startsWith("\"queen-sealed:j:").endsWith("\"").isNotEqualTo(cipher.sealJson(json));
        assertThat(cipher.shown("{\"data\":" + sealed + ",\"b\":1}")).isEqualTo("{\"data\":" + json + ",\"b\":1}");
        String inText = "\"not alone: " + sealed.substring(1);
        assertThat(cipher.shown(inText)).isEqualTo(inText);
    }

    @Test
    void textThatResemblesATokenIsUnchanged() {
        String token = cipher.seal(ERROR);
        String forged = token.substring(0, token.length() - 2) + (token.endsWith("AA") ? "BB" : "AA");
        String otherKind = token.replace(":t:", ":j:");

        for (String text : List.of("no token", "queen-sealed:", "queen-sealed:t:00000000:short", forged,
                "\"" + otherKind + "\"")) {
            assertThat(cipher.shown(text)).isEqualTo(text);
        }
    }

    @Test
    void keysRotate() {
        TextCipher rotated = new TextCipher(new EncryptionConfig(SECOND, List.of(FIRST)));
        TextCipher other = new TextCipher(new EncryptionConfig(SECOND, List.of()));
        String token = cipher.seal("x");

        assertThat(rotated.shown(token)).isEqualTo("x");
        assertThat(other.shown(token))
                .matches("\\(encrypted with the key [0-9a-f]{8}, which this server does not have\\)");
        assertThat(other.shown(cipher.sealJson("{}"))).startsWith("\"(encrypted with the key ").endsWith(")\"");
        assertThat(rotated.tokensOf("x")).containsExactly(rotated.seal("x"), token);
    }

    private static Secret key(int filling) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) filling);
        return new Secret(bytes);
    }
}
