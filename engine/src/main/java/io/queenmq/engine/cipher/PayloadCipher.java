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

/**
 * The one place where payloads are encrypted and decrypted: AES-256 in Galois/Counter Mode, with a random nonce for each
 * message. The {@link Binding} says what is authenticated with it, so that no ciphertext can be put into another place.
 *
 * <p>The data of an encrypted line is <code>{"encrypted":…,"iv":…,"authTag":…,"keyId":…,"bound":…}</code>, the last field
 * only where it is bound to a place. The line ends with a field of its own, <code>"isEncrypted":true</code>. No payload can
 * look like that: it would have to hold a comma outside of every brace. Safe from any thread.
 */
public final class PayloadCipher {
    /** Each message needs a nonce of its own for its key; for random ones 96 bits are what the mode was made for. */
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

    /** @param transformation what the JDK is asked for */
    PayloadCipher(EncryptionConfig config, String transformation) {
        this.transformation = transformation;
        this.keys = new KeyRing<>(config, secret -> new SecretKeySpec(secret.bytes(), "AES"));
        this.texts = new TextCipher(config);
    }

    /** Encrypts errors and traces with the same keys. */
    public TextCipher texts() {
        return texts;
    }

    /** Whether anything can be encrypted. */
    public boolean hasKey() {
        return keys.current() != null;
    }

    /** The id of the key that encrypts; null when there is none. */
    public String currentKeyId() {
        return hasKey() ? keys.current().id() : null;
    }

    /** The ids of all keys that this server can decrypt with. */
    public List<String> keyIds() {
        return keys.all().stream().map(KeyRing.Entry::id).toList();
    }

    /** Whether the line from start to end, its line break not included, is encrypted. Looks at two bytes of most lines. */
    public static boolean isEncrypted(byte[] body, int start, int end) {
        return body[end - 2] == 'e' && end - start > TAIL + MARK.length
                && Arrays.equals(body, end - MARK.length, end, MARK, 0, MARK.length);
    }

    /** Whether an encrypted line is bound to its offset. */
    public static boolean isBoundToOffset(byte[] body, int start, int end) {
        return Binding.of(Arrays.copyOfRange(body, Math.max(start, end - MARK.length - TAIL),
                end - MARK.length)) == Binding.OFFSET;
    }

    /** The id of the key that an encrypted line is encrypted with. */
    public static String keyId(byte[] body, int start, int end) {
        int dataEnd = end - MARK.length;
        Binding binding = Binding.of(Arrays.copyOfRange(body, Math.max(start, dataEnd - TAIL), dataEnd));
        int keyEnd = dataEnd - binding.closing().length;
        return new String(body, keyEnd - KEY_ID_DIGITS, KEY_ID_DIGITS, StandardCharsets.US_ASCII);
    }

    /** The id of the key that data is encrypted with, as {@link #encrypt(UUID, byte[], int, int)} returned it. */
    public static String keyId(byte[] data) {
        int keyEnd = Math.max(KEY_ID_DIGITS, data.length - Binding.of(data).closing().length);
        return new String(data, keyEnd - KEY_ID_DIGITS, KEY_ID_DIGITS, StandardCharsets.US_ASCII);
    }

    /**
     * The line with its payload encrypted.
     *
     * @param line with its line break, as is what is returned
     * @param placeOrNull where it will be stored, as far as that is known; it can be decrypted there only
     * @throws CipherException when it cannot be; the line must not be stored then
     */
    public byte[] encrypt(byte[] line, MessagePlace placeOrNull) {
        int dataStart = StoredLine.dataStart(line, 0);
        byte[] data = encrypt(StoredLine.messageId(line, 0), placeOrNull, line, dataStart, line.length - 2);
        byte[] encrypted = new byte[dataStart + data.length + MARK.length + 1];
        System.arraycopy(line, 0, encrypted, 0, dataStart);
        encrypted[put(encrypted, dataStart, data, MARK)] = '\n';
        return encrypted;
    }

    /**
     * What stands from start to end, encrypted: JSON that {@link #decrypt(UUID, byte[])} takes.
     *
     * @param id what it belongs to; it can be decrypted in that place only
     * @throws CipherException when it cannot be; it must not be stored then
     */
    public byte[] encrypt(UUID id, byte[] from, int start, int end) {
        return encrypt(id, null, from, start, end);
    }

    private byte[] encrypt(UUID id, MessagePlace placeOrNull, byte[] from, int start, int end) {
        if (!hasKey()) {
            throw new CipherException("the queue is encrypted, and this server has no QUEEN_ENCRYPTION_KEY");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Binding binding = Binding.to(placeOrNull);
        byte[] sealed;
        try {
            sealed = cipher(Cipher.ENCRYPT_MODE, keys.current().key(), nonce, binding.authenticated(id, placeOrNull))
                    .doFinal(from, start, end - start);
        } catch (GeneralSecurityException e) {
            throw new CipherException(
                    "the queue is encrypted, and its payload could not be: " + e.getClass().getName());
        }
        Base64.Encoder base64 = Base64.getEncoder();
        int tagStart = sealed.length - TAG_BYTES;
        byte[] text = base64.encode(Arrays.copyOf(sealed, tagStart));
        byte[] encrypted = new byte[OPENING.length + text.length + TAIL + binding.closing().length];
        put(encrypted, 0, OPENING, text, NONCE, base64.encode(nonce), TAG,
                base64.encode(Arrays.copyOfRange(sealed, tagStart, sealed.length)), KEY, ascii(keys.current().id()),
                binding.closing());
        return encrypted;
    }

    /**
     * The encrypted line as it was before.
     *
     * @param end where the line ends in the body; neither its line break nor that of the answer is included
     * @param placeOrNull where it is stored; null where that is not known, which does for lines that are not bound to it
     * @throws CipherException when no key of this server fits, or the line is not what was stored there
     */
    public byte[] decrypt(byte[] body, int start, int end, MessagePlace placeOrNull) {
        int dataStart = StoredLine.dataStart(body, start);
        byte[] payload = decrypt(StoredLine.messageId(body, start), placeOrNull,
                Arrays.copyOfRange(body, dataStart, end - MARK.length));
        byte[] line = Arrays.copyOf(Arrays.copyOfRange(body, start, dataStart), dataStart - start + payload.length + 1);
        line[put(line, dataStart - start, payload)] = '}';
        return line;
    }

    /** As {@link #decrypt(UUID, MessagePlace, byte[])}, for what belongs to no place. */
    public byte[] decrypt(UUID id, byte[] data) {
        return decrypt(id, null, data);
    }

    /**
     * The payload of an encrypted message.
     *
     * @param placeOrNull where it is stored; null where that is not known
     * @param data what its line says under that name
     * @throws CipherException when no key of this server fits, or the data is not what was stored there
     */
    public byte[] decrypt(UUID messageId, MessagePlace placeOrNull, byte[] data) {
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
        byte[] authenticated = binding.authenticated(messageId, placeOrNull);
        try {
            byte[] text = decode(data, OPENING.length, textEnd);
            byte[] tag = decode(data, tagStart, tagStart + TAG_TEXT);
            byte[] sealed = Arrays.copyOf(text, text.length + tag.length);
            System.arraycopy(tag, 0, sealed, text.length, tag.length);
            byte[] nonce = decode(data, nonceStart, nonceStart + NONCE_TEXT);
            return cipher(Cipher.DECRYPT_MODE, key.key(), nonce, authenticated).doFinal(sealed);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            throw damaged(messageId, binding, placeOrNull);
        }
    }

    private static CipherException damaged(UUID messageId, Binding binding, MessagePlace placeOrNull) {
        return new CipherException("message " + messageId + " cannot be decrypted: " + binding.problem(placeOrNull));
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
