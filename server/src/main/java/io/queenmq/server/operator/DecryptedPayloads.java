package io.queenmq.server.operator;

import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.MessagePosition;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.TextCipher;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decrypts payloads and texts for operators if this server has their key. Safe from any thread. */
public final class DecryptedPayloads implements PayloadView {
    private static final byte[] BEGINNING = "{\"encrypted\":\"".getBytes(StandardCharsets.US_ASCII);
    /** The routines append to encrypted data the message id and the position to which it is bound. */
    private static final Pattern ENDING = Pattern.compile(
            ",\"messageId\":\"([-0-9a-f]{36})\",\"partitionId\":\"([-0-9a-f]{36})\",\"offset\":([0-9]{1,18})}$");
    private static final int ENDING_MAX = 160;

    private final PayloadCipher cipher;
    private final TextCipher texts;

    public DecryptedPayloads(PayloadCipher cipher) {
        this.cipher = cipher;
        this.texts = cipher.texts();
    }

    /** Returns the data unchanged if it only looks encrypted (it is not authentic) or if this server has no key for it. */
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
                    new MessagePosition(UUID.fromString(ending.group(2)), Long.parseLong(ending.group(3))), stored);
        } catch (CipherException | IllegalArgumentException _) {
            return data;
        }
    }

    @Override
    public byte[] opened(byte[] line, UUID partitionId, long offset) {
        return PayloadCipher.isEncrypted(line, 0, line.length)
                ? cipher.decrypt(line, 0, line.length, new MessagePosition(partitionId, offset))
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
    public String @Nullable [] sealedForms(String text) {
        List<String> tokens = texts.tokensOf(text);
        return tokens.isEmpty() ? null : tokens.toArray(String[]::new);
    }
}
