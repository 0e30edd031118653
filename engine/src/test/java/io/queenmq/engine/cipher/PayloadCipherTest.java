package io.queenmq.engine.cipher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCipherTest {
    private static final String ID = "0190a5e0-0000-7000-8000-00000000000a";
    private static final String OTHER_ID = "0190a5e0-0000-7000-8000-00000000000b";
    private static final Secret FIRST = key(1);
    private static final Secret SECOND = key(2);

    private final PayloadCipher cipher = new PayloadCipher(new EncryptionConfig(FIRST, List.of()));

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "1", "\"\"", "{}", "{\"a\":[1,{\"b\":\"Zürich 東京 🚀 \\u0000\"}]}",
        "123456789012345678901234567890", "{\"encrypted\":\"x\",\"iv\":\"y\",\"authTag\":\"z\"}"})
    void decryptionReturnsTheSameBytes(String payload) {
        byte[] line = line(ID, payload);

        byte[] stored = cipher.encrypt(line, null);

        assertThat(isEncrypted(stored)).isTrue();
        assertThat(text(stored)).startsWith("{\"id\":\"" + ID + "\",\"transactionId\":\"t \\\"1\",\"traceId\":\"")
                .contains("\"producerSub\":\"a\\\\\",\"data\":{\"encrypted\":\"").contains("\",\"iv\":\"")
                .contains("\",\"authTag\":\"").contains("\",\"keyId\":\"").endsWith("\"},\"isEncrypted\":true}\n");
        assertThat(text(decrypt(cipher, stored)) + "\n").isEqualTo(text(line));
    }

    @Test
    void aPayloadIsDecryptedWithoutItsLine() {
        String stored = text(cipher.encrypt(line(ID, "{\"a\":1}"), null));
        String data = stored.substring(stored.indexOf("{\"encrypted\""), stored.indexOf(",\"isEncrypted\""));

        assertThat(text(cipher.decrypt(UUID.fromString(ID), bytes(data)))).isEqualTo("{\"a\":1}");
        assertThatThrownBy(() -> cipher.decrypt(UUID.fromString(OTHER_ID), bytes(data)))
                .isInstanceOf(CipherException.class);
        assertThatThrownBy(() -> cipher.decrypt(UUID.fromString(ID), bytes("{}"))).isInstanceOf(CipherException.class);
    }

    @Test
    void noPartOfThePayloadIsVisible() {
        assertThat(text(cipher.encrypt(line(ID, "{\"cardNumber\":\"4111222233334444\"}"), null)))
                .doesNotContain("cardNumber", "4111222233334444");
        assertThat(cipher.encrypt(line(ID, "1"), null)).isNotEqualTo(cipher.encrypt(line(ID, "1"), null));
    }

    /** A payload that resembles ciphertext is a payload. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false", "{\"isEncrypted\":true}", "[{\"a\":{}},true]",
        "{\"encrypted\":\"eA==\",\"iv\":\"AAAAAAAAAAAAAAAA\",\"authTag\":\"AAAAAAAAAAAAAAAAAAAAAA==\",\"keyId\":\"00000000\"}",
        "\"\\\"},\\\"isEncrypted\\\":true\""})
    void noPayloadIsMistakenForCiphertext(String payload) {
        assertThat(isEncrypted(line(ID, payload))).isFalse();
    }

    @Test
    void aCiphertextBelongsToItsMessage() {
        String stored = text(cipher.encrypt(line(ID, "{\"a\":1}"), null));

        assertThatThrownBy(() -> decrypt(cipher, bytes(stored.replace(ID, OTHER_ID))))
                .isInstanceOf(CipherException.class).hasMessageContaining("the stored data was changed");
    }

    @Test
    void aBoundCiphertextBelongsToItsPosition() {
        MessagePosition position = new MessagePosition(UUID.fromString(OTHER_ID), 7);
        byte[] stored = cipher.encrypt(line(ID, "{\"a\":1}"), position);

        assertThat(text(stored)).endsWith(",\"bound\":\"offset\"},\"isEncrypted\":true}\n");
        assertThat(PayloadCipher.isBoundToOffset(stored, 0, stored.length - 1)).isTrue();
        assertThat(text(cipher.decrypt(stored, 0, stored.length - 1, position))).endsWith("\"data\":{\"a\":1}}");
        assertRefused(stored, new MessagePosition(UUID.fromString(OTHER_ID), 8), "stored at offset 8 of partition");
        assertRefused(stored, new MessagePosition(UUID.fromString(ID), 7), "encrypted for another position");
        assertRefused(bytes(text(stored).replace(ID, OTHER_ID)), position, "encrypted for another position");
        assertRefused(stored, null, "without its position");
    }

    @Test
    void aCiphertextWhoseOffsetIsNotKnownBelongsToItsPartition() {
        MessagePosition target = new MessagePosition(UUID.fromString(OTHER_ID), MessagePosition.UNKNOWN_OFFSET);
        byte[] stored = cipher.encrypt(line(ID, "1"), target);

        assertThat(text(stored)).endsWith(",\"bound\":\"partition\"},\"isEncrypted\":true}\n");
        assertThat(PayloadCipher.isBoundToOffset(stored, 0, stored.length - 1)).isFalse();
        assertThat(
                text(cipher.decrypt(stored, 0, stored.length - 1, new MessagePosition(UUID.fromString(OTHER_ID), 3))))
                .endsWith("\"data\":1}");
        assertRefused(stored, new MessagePosition(UUID.fromString(ID), 3), "encrypted for another partition");
    }

    /** Otherwise a bound ciphertext could be moved after its marker was removed. */
    @Test
    void aBindingCannotBeRemoved() {
        MessagePosition position = new MessagePosition(UUID.fromString(OTHER_ID), 7);
        String exact = text(cipher.encrypt(line(ID, "1"), position));

        assertRefused(bytes(exact.replace(",\"bound\":\"offset\"", "")), position, "the stored data was changed");
        assertRefused(bytes(exact.replace("\"offset\"", "\"partition\"")), position, "another partition");
        String unbound = text(cipher.encrypt(line(ID, "1"), null));
        assertRefused(bytes(unbound.replace("\"},\"isEnc", "\",\"bound\":\"offset\"},\"isEnc")), position,
                "another position");
    }

    private void assertRefused(byte[] stored, MessagePosition position, String reason) {
        assertThatThrownBy(() -> cipher.decrypt(stored, 0, stored.length - 1, position))
                .isInstanceOf(CipherException.class).hasMessageContaining(reason);
    }

    @Test
    void changedCiphertextIsRejected() {
        byte[] stored = cipher.encrypt(line(ID, "{\"a\":1}"), null);
        int at = text(stored).indexOf("\"encrypted\":\"") + 13;
        stored[at] = (byte) (stored[at] == 'A' ? 'B' : 'A');

        assertThatThrownBy(() -> decrypt(cipher, stored)).isInstanceOf(CipherException.class);
    }

    @Test
    void keysRotate() {
        byte[] before = cipher.encrypt(line(ID, "1"), null);
        PayloadCipher rotated = new PayloadCipher(new EncryptionConfig(SECOND, List.of(FIRST)));
        PayloadCipher forgetful = new PayloadCipher(new EncryptionConfig(SECOND, List.of()));

        assertThat(text(decrypt(rotated, before))).endsWith("\"data\":1}");
        assertThat(text(decrypt(forgetful, rotated.encrypt(line(ID, "2"), null)))).endsWith("\"data\":2}");
        assertThatThrownBy(() -> decrypt(forgetful, before)).isInstanceOf(CipherException.class).hasMessageMatching(
                "message " + ID + " is encrypted with the key [0-9a-f]{8}, which this server does not have");
    }

    @Test
    void withoutAKeyNothingIsEncryptedAndOldKeysOnlyDecrypt() {
        PayloadCipher reader = new PayloadCipher(new EncryptionConfig(null, List.of(FIRST)));

        assertThatThrownBy(() -> reader.encrypt(line(ID, "1"), null)).isInstanceOf(CipherException.class)
                .hasMessageContaining("QUEEN_ENCRYPTION_KEY");
        assertThat(text(decrypt(reader, cipher.encrypt(line(ID, "1"), null)))).endsWith("\"data\":1}");
    }

    /** W20: the push is refused, and no clear text is stored instead. */
    @Test
    void aFailingCipherIsAnError() {
        PayloadCipher broken = new PayloadCipher(new EncryptionConfig(FIRST, List.of()), "AES/GCM/NoSuchPadding");

        assertThatThrownBy(() -> broken.encrypt(line(ID, "1"), null)).isInstanceOf(CipherException.class);
    }

    private static boolean isEncrypted(byte[] line) {
        return PayloadCipher.isEncrypted(line, 0, line.length - 1);
    }

    /** Surrounded by other lines, as in a segment. */
    private static byte[] decrypt(PayloadCipher cipher, byte[] line) {
        byte[] body = new byte[line.length + 20];
        System.arraycopy(line, 0, body, 10, line.length);
        return cipher.decrypt(body, 10, 10 + line.length - 1, null);
    }

    private static byte[] line(String id, String payload) {
        return bytes("{\"id\":\"" + id + "\",\"transactionId\":\"t \\\"1\",\"traceId\":\"" + OTHER_ID
                + "\",\"producerSub\":\"a\\\\\",\"data\":" + payload + "}\n");
    }

    private static Secret key(int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return new Secret(key);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
