package io.queenmq.server.operator;

import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.MessagePlace;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.TextCipher;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shows operators what was encrypted at rest, as far as this server has the key. Safe from any thread. */
public final class DecryptedPayloads implements PayloadView {
    private static final byte[] BEGINNING = "{\"encrypted\":\"".getBytes(StandardCharsets.US_ASCII);
    /** The routines add to encrypted data what it is bound to. */
    private static final Pattern ENDING = Pattern
            .compile(
                    ",\"messageId\":\"([-0-9a-f]{36})\",\"partitionId\":\"([-0-9a-f]{36})\",\"offset\":([0-9]{1,18})}$");
    private static final int ENDING_MAX = 160;

    private final PayloadCipher cipher;
    private final TextCipher texts;

    public DecryptedPayloads(PayloadCipher cipher) {
        this.cipher = cipher;
        this.texts = cipher.texts();
    }

    /** A payload that only looks encrypted is not authentic, so it is shown as it is; so is one without a key. */
    @Override
    public byte[] shown(byte[] data) {
        if (!Arrays.equals(data, 0, Math.min(BEGINNING.length, data.length), BEGINNING, 0, BEGINNING.length)) {
            return data;
        }
        int searched = Math.max(0, data.length - ENDING_MAX);
        Matcher ending = ENDING
                .matcher(new String(data, searched, data.length - searched, StandardCharsets.ISO_8859_1));
        if (!ending.find()) {
            return data;
        }
        try {
            int end = searched + ending.start();
            byte[] stored = Arrays.copyOf(data, end + 1);
            stored[end] = '}';
            return cipher.decrypt(UUID.fromString(ending.group(1)),
                    new MessagePlace(UUID.fromString(ending.group(2)), Long.parseLong(ending.group(3))), stored);
        } catch (CipherException | IllegalArgumentException _) {
            return data;
        }
    }

    @Override
    public byte[] opened(byte[] line, UUID partitionId, long offset) {
        return PayloadCipher.isEncrypted(line, 0, line.length)
                ? cipher.decrypt(line, 0, line.length, new MessagePlace(partitionId, offset))
                : line;
    }

    @Override
    public String textsShown(String document) {
        return texts.shown(document);
    }

    @Override
    public boolean canSeal() {
        return texts.hasKey();
    }

    @Override
    public String sealed(String json) {
        return texts.sealJson(json);
    }

    @Override
    public String[] sealedForms(String text) {
        List<String> tokens = texts.tokensOf(text);
        return tokens.isEmpty() ? null : tokens.toArray(String[]::new);
    }
}
