package io.queenmq.engine.cipher;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts errors and traces that consumers send for messages of encrypted queues. A stored text is a token,
 * <code>queen-sealed:t:KEYID:…</code>, which any document may contain.
 *
 * <p>Errors are encrypted deterministically: the same text and key yield the same token, so that PostgreSQL can group and search
 * dead letters by error. A reader of the database can see which errors are equal, and their lengths. Traces have a random nonce.
 * Both use keys derived from the keys of payloads. A token is not bound to a message. Safe from any thread.
 */
public final class TextCipher {
    private static final String PREFIX = "queen-sealed:";
    private static final Pattern TOKEN = Pattern.compile("queen-sealed:([tj]):([0-9a-f]{8}):([A-Za-z0-9_-]{38,})");
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final KeyRing<Keys> keys;
    private final SecureRandom random = new SecureRandom();

    /** The key that encrypts texts, and the key that derives nonces from texts. */
    private record Keys(SecretKeySpec cipher, SecretKeySpec nonce) {
        static Keys from(Secret secret) {
            SecretKeySpec root = new SecretKeySpec(secret.bytes(), "HmacSHA256");
            return new Keys(new SecretKeySpec(mac(root, bytes("queen text cipher")), "AES"),
                    new SecretKeySpec(mac(root, bytes("queen text nonce")), "HmacSHA256"));
        }
    }

    /** The content of a token. */
    private enum Kind {
        /** A text. The token is a part of a JSON string. */
        TEXT('t'),
        /** A JSON value; the token is the whole JSON string. */
        JSON('j');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }
    }

    TextCipher(EncryptionConfig config) {
        this.keys = new KeyRing<>(config, Keys::from);
    }

    public boolean hasKey() {
        return keys.current() != null;
    }

    /** Returns the token of a text. The same key always yields the same token. Must not be called without a key. */
    public String seal(String text) {
        return seal(currentKey(), text);
    }

    private KeyRing.Entry<Keys> currentKey() {
        return Objects.requireNonNull(keys.current(), "no key to encrypt with");
    }

    /** Returns the tokens under which a text may be stored: one for each key of this server. */
    public List<String> tokensOf(String text) {
        return keys.all().stream().map(key -> seal(key, text)).toList();
    }

    private static String seal(KeyRing.Entry<Keys> key, String text) {
        byte[] clear = bytes(text);
        byte[] nonce = Arrays.copyOf(mac(key.key().nonce(), clear), NONCE_BYTES);
        return token(key, Kind.TEXT, nonce, clear);
    }

    /** Returns a JSON string that holds a JSON value, encrypted. Must not be called without a key. */
    public String sealJson(String json) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return "\"" + token(currentKey(), Kind.JSON, nonce, bytes(json)) + "\"";
    }

    private static String token(KeyRing.Entry<Keys> key, Kind kind, byte[] nonce, byte[] clear) {
        String head = PREFIX + kind.letter + ":" + key.id() + ":";
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key.key(), nonce, head).doFinal(clear);
            byte[] all = Arrays.copyOf(nonce, nonce.length + sealed.length);
            System.arraycopy(sealed, 0, all, nonce.length, sealed.length);
            return head + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK supports it
        }
    }

    /**
     * Returns a JSON document in which each token is replaced by its text. Text that only resembles a token is
     * unchanged. A token whose key this server does not have is replaced by a sentence with this reason.
     */
    public String shown(String document) {
        if (!document.contains(PREFIX)) {
            return document;
        }
        StringBuilder shown = new StringBuilder(document.length());
        Matcher tokens = TOKEN.matcher(document);
        int copied = 0;
        while (tokens.find()) {
            boolean isJson = tokens.group(1).charAt(0) == Kind.JSON.letter;
            int start = isJson ? tokens.start() - 1 : tokens.start();
            int end = isJson ? tokens.end() + 1 : tokens.end();
            String clear = isJson && !isQuoted(document, start, end) ? null : open(tokens, isJson);
            if (clear != null) {
                shown.append(document, copied, start).append(clear);
                copied = end;
            }
        }
        return shown.append(document, copied, document.length()).toString();
    }

    /** Returns a stored error, encrypted with the current key. A text that cannot be decrypted is returned unchanged. */
    public @Nullable String renewed(@Nullable String error) {
        Matcher token = error == null ? null : TOKEN.matcher(error);
        KeyRing.Entry<Keys> current = keys.current();
        if (token == null || current == null || !token.matches() || token.group(1).charAt(0) != Kind.TEXT.letter
                || current.id().equals(token.group(2))) {
            return error;
        }
        KeyRing.Entry<Keys> old = keys.find(token.group(2));
        byte[] clear = old == null ? null : clearOf(token, old.key());
        return clear == null ? error : seal(current, new String(clear, StandardCharsets.UTF_8));
    }

    private static boolean isQuoted(String document, int start, int end) {
        return start >= 0 && end <= document.length() && document.charAt(start) == '"'
                && document.charAt(end - 1) == '"';
    }

    /** Returns JSON, or the inside of a JSON string; null if the token is not authentic. */
    private @Nullable String open(Matcher token, boolean isJson) {
        String keyId = token.group(2);
        KeyRing.Entry<Keys> key = keys.find(keyId);
        if (key == null) {
            String reason = "(encrypted with the key " + keyId + ", which this server does not have)";
            return isJson ? "\"" + reason + "\"" : reason;
        }
        byte[] bytes = clearOf(token, key.key());
        if (bytes == null) {
            return null;
        }
        String clear = new String(bytes, StandardCharsets.UTF_8);
        return isJson ? clear : new String(JsonStringEncoder.getInstance().quoteAsString(clear));
    }

    /** Returns the content of a token; null if it is not authentic. */
    private byte @Nullable [] clearOf(Matcher token, Keys key) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(token.group(3));
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            String head = PREFIX + token.group(1) + ":" + token.group(2) + ":";
            return cipher(Cipher.DECRYPT_MODE, key, nonce, head).doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            return null;
        }
    }

    private static Cipher cipher(int mode, Keys keys, byte[] nonce, String head) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, keys.cipher(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(bytes(head));
        return cipher;
    }

    private static byte[] mac(SecretKeySpec key, byte[] data) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK supports it
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
