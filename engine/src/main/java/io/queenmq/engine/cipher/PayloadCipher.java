package io.queenmq.engine.cipher;

import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.partition.StoredLine;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts payloads with AES-256 in Galois/Counter Mode, with a random nonce for each message. The {@link
 * Binding} determines the authenticated data, so a ciphertext cannot be moved to another position.
 *
 * <p>The data of an encrypted line is <code>{"encrypted":…,"iv":…,"authTag":…,"keyId":…,"bound":…}</code>, the last
 * field only if it is bound to a position. The line ends with a field of its own, <code>"isEncrypted":true</code>. No
 * payload can imitate it: it would need a comma outside of all braces. Safe from any thread.
 */
public final class PayloadCipher {
    /** A nonce must be used once per key. The mode is designed for random nonces of 96 bits. */
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int KEY_ID_DIGITS = KeyRing.ID_DIGITS;

    private static final byte[] OPENING = ascii("{\"encrypted\":\"");
    private static final byte[] NONCE = ascii("\",\"iv\":\"");
    private static final byte[] TAG = ascii("\",\"authTag\":\"");
    private static final byte[] KEY = ascii("\",\"keyId\":\"");
    private static final byte[] MARK = ascii(",\"isEncrypted\":true}");
    private static final int NONCE_TEXT = 16;
    private static final int TAG_TEXT = 24;
    private static final int TAIL = NONCE.length + NONCE_TEXT + TAG.length + TAG_TEXT + KEY.length + KEY_ID_DIGITS;

    private final String transformation;
    private final KeyRing<SecretKeySpec> keys;
    private final TextCipher texts;
    private final SecureRandom random = new SecureRandom();

    public PayloadCipher(EncryptionConfig config) {
        this(config, "AES/GCM/NoPadding");
    }

    /** @param transformation the name of the JDK's cipher */
    PayloadCipher(EncryptionConfig config, String transformation) {
        this.transformation = transformation;
        this.keys = new KeyRing<>(config, secret -> new SecretKeySpec(secret.bytes(), "AES"));
        this.texts = new TextCipher(config);
    }

    /** Returns the cipher for errors and traces, which uses the same keys. */
    public TextCipher texts() {
        return texts;
    }

    /** Returns true if this server has a key to encrypt with. */
    public boolean hasKey() {
        return keys.current() != null;
    }

    /** Returns the id of the key that encrypts, or null if there is none. */
    public @Nullable String currentKeyId() {
        KeyRing.Entry<SecretKeySpec> current = keys.current();
        return current == null ? null : current.id();
    }

    /** Returns the ids of all keys with which this server can decrypt. */
    public List<String> keyIds() {
        return keys.all().stream().map(KeyRing.Entry::id).toList();
    }

    /** Returns true if the line from start to end, without its line break, is encrypted. Reads two bytes of most lines. */
    public static boolean isEncrypted(byte[] body, int start, int end) {
        return body[end - 2] == 'e' && end - start > TAIL + MARK.length
                && Arrays.equals(body, end - MARK.length, end, MARK, 0, MARK.length);
    }

    /** Returns true if an encrypted line is bound to its offset. */
    public static boolean isBoundToOffset(byte[] body, int start, int end) {
        return Binding.of(Arrays.copyOfRange(body, Math.max(start, end - MARK.length - TAIL),
                end - MARK.length)) == Binding.OFFSET;
    }

    /** Returns the id of the key of an encrypted line. */
    public static String keyId(byte[] body, int start, int end) {
        int dataEnd = end - MARK.length;
        Binding binding = Binding.of(Arrays.copyOfRange(body, Math.max(start, dataEnd - TAIL), dataEnd));
        int keyEnd = dataEnd - binding.closing().length;
        return new String(body, keyEnd - KEY_ID_DIGITS, KEY_ID_DIGITS, StandardCharsets.US_ASCII);
    }

    /** Returns the id of the key of data that {@link #encrypt(UUID, byte[], int, int)} returned. */
    public static String keyId(byte[] data) {
        int keyEnd = Math.max(KEY_ID_DIGITS, data.length - Binding.of(data).closing().length);
        return new String(data, keyEnd - KEY_ID_DIGITS, KEY_ID_DIGITS, StandardCharsets.US_ASCII);
    }

    /**
     * Returns the line with its payload encrypted.
     *
     * @param line with its line break, like the returned line
     * @param position the position at which it will be stored, as far as known; it can be decrypted only there
     * @throws CipherException if it cannot be encrypted; the line must not be stored then
     */
    public byte[] encrypt(byte[] line, @Nullable MessagePosition position) {
        int dataStart = StoredLine.dataStart(line, 0);
        byte[] data = encrypt(StoredLine.messageId(line, 0), position, line, dataStart, line.length - 2);
        byte[] encrypted = new byte[dataStart + data.length + MARK.length + 1];
        System.arraycopy(line, 0, encrypted, 0, dataStart);
        encrypted[put(encrypted, dataStart, data, MARK)] = '\n';
        return encrypted;
    }

    /**
     * Encrypts the bytes from start to end. Returns JSON that {@link #decrypt(UUID, byte[])} accepts.
     *
     * @param id identifies the data; it can be decrypted with this id only
     * @throws CipherException if it cannot be encrypted; the data must not be stored then
     */
    public byte[] encrypt(UUID id, byte[] from, int start, int end) {
        return encrypt(id, null, from, start, end);
    }

    private byte[] encrypt(UUID id, @Nullable MessagePosition position, byte[] from, int start, int end) {
        KeyRing.Entry<SecretKeySpec> key = keys.current();
        if (key == null) {
            throw new CipherException("the queue is encrypted, and this server has no QUEEN_ENCRYPTION_KEY");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Binding binding = Binding.to(position);
        byte[] sealed;
        try {
            sealed = cipher(Cipher.ENCRYPT_MODE, key.key(), nonce, binding.authenticated(id, position)).doFinal(from,
                    start, end - start);
        } catch (GeneralSecurityException e) {
            throw new CipherException(
                    "the queue is encrypted, and the payload could not be encrypted: " + e.getClass().getName());
        }
        Base64.Encoder base64 = Base64.getEncoder();
        int tagStart = sealed.length - TAG_BYTES;
        byte[] text = base64.encode(Arrays.copyOf(sealed, tagStart));
        byte[] encrypted = new byte[OPENING.length + text.length + TAIL + binding.closing().length];
        put(encrypted, 0, OPENING, text, NONCE, base64.encode(nonce), TAG,
                base64.encode(Arrays.copyOfRange(sealed, tagStart, sealed.length)), KEY, ascii(key.id()),
                binding.closing());
        return encrypted;
    }

    /**
     * Returns the line as it was before encryption.
     *
     * @param end the end of the line in the body, without its line break; the returned line has none either
     * @param position the position at which it is stored; null if unknown, which suffices for lines that are not bound to it
     * @throws CipherException if this server does not have the key, or the line was changed or moved
     */
    public byte[] decrypt(byte[] body, int start, int end, @Nullable MessagePosition position) {
        int dataStart = StoredLine.dataStart(body, start);
        byte[] payload = decrypt(StoredLine.messageId(body, start), position,
                Arrays.copyOfRange(body, dataStart, end - MARK.length));
        byte[] line = Arrays.copyOf(Arrays.copyOfRange(body, start, dataStart), dataStart - start + payload.length + 1);
        line[put(line, dataStart - start, payload)] = '}';
        return line;
    }

    /** As {@link #decrypt(UUID, MessagePosition, byte[])}, for data without a position. */
    public byte[] decrypt(UUID id, byte[] data) {
        return decrypt(id, null, data);
    }

    /**
     * Returns the payload of an encrypted message.
     *
     * @param position the position at which it is stored; null if unknown
     * @param data the value of the field "data" of its line
     * @throws CipherException if this server does not have the key, or the data was changed or moved
     */
    public byte[] decrypt(UUID messageId, @Nullable MessagePosition position, byte[] data) {
        Binding binding = Binding.of(data);
        int textEnd = data.length - TAIL - binding.closing().length;
        int nonceStart = textEnd + NONCE.length;
        int tagStart = nonceStart + NONCE_TEXT + TAG.length;
        int keyStart = tagStart + TAG_TEXT + KEY.length;
        if (textEnd < OPENING.length) {
            throw damaged(messageId, Binding.MESSAGE, null);
        }
        String keyId = new String(data, keyStart, KEY_ID_DIGITS, StandardCharsets.US_ASCII);
        KeyRing.Entry<SecretKeySpec> key = keys.find(keyId);
        if (key == null) {
            throw new CipherException("message " + messageId + " is encrypted with the key " + keyId
                    + ", which this server does not have");
        }
        byte[] authenticated = binding.authenticated(messageId, position);
        try {
            byte[] text = decode(data, OPENING.length, textEnd);
            byte[] tag = decode(data, tagStart, tagStart + TAG_TEXT);
            byte[] sealed = Arrays.copyOf(text, text.length + tag.length);
            System.arraycopy(tag, 0, sealed, text.length, tag.length);
            byte[] nonce = decode(data, nonceStart, nonceStart + NONCE_TEXT);
            return cipher(Cipher.DECRYPT_MODE, key.key(), nonce, authenticated).doFinal(sealed);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            throw damaged(messageId, binding, position);
        }
    }

    private static CipherException damaged(UUID messageId, Binding binding, @Nullable MessagePosition position) {
        return new CipherException("message " + messageId + " cannot be decrypted: " + binding.problem(position));
    }

    private Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, byte[] authenticated)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(transformation);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(authenticated);
        return cipher;
    }

    private static byte[] decode(byte[] body, int start, int end) {
        return Base64.getDecoder().decode(Arrays.copyOfRange(body, start, end));
    }

    private static int put(byte[] to, int at, byte[]... parts) {
        int next = at;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, to, next, part.length);
            next += part.length;
        }
        return next;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
