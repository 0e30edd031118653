package io.queenmq.server.cipher;

import io.queenmq.server.operator.PayloadView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Shows operators what was encrypted at rest, as far as this server has the key. Safe from any thread. */
public final class DecryptedPayloads implements PayloadView {
    private static final byte[] BEGINNING = "{\"encrypted\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MESSAGE_ID = ",\"messageId\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int UUID_LENGTH = 36;
    private static final int ENDING_LENGTH = MESSAGE_ID.length + UUID_LENGTH + 2;

    private final PayloadCipher cipher;

    public DecryptedPayloads(PayloadCipher cipher) {
        this.cipher = cipher;
    }

    /** A payload that only looks encrypted is not authentic, so it is shown as it is; so is one without a key. */
    @Override
    public byte[] shown(byte[] data) {
        int endingStart = data.length - ENDING_LENGTH;
        if (endingStart <= BEGINNING.length || !isAt(data, 0, BEGINNING) || !isAt(data, endingStart, MESSAGE_ID)) {
            return data;
        }
        try {
            UUID id = UUID.fromString(new String(data, endingStart + MESSAGE_ID.length, UUID_LENGTH,
                    StandardCharsets.US_ASCII));
            byte[] stored = Arrays.copyOf(data, endingStart + 1);
            stored[endingStart] = '}';
            return cipher.decrypt(id, stored);
        } catch (CipherException | IllegalArgumentException _) {
            return data;
        }
    }

    @Override
    public byte[] opened(byte[] line) {
        return PayloadCipher.isEncrypted(line, 0, line.length) ? cipher.decrypt(line, 0, line.length) : line;
    }

    private static boolean isAt(byte[] data, int start, byte[] text) {
        return Arrays.equals(data, start, start + text.length, text, 0, text.length);
    }
}
