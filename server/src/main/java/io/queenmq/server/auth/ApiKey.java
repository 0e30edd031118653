package io.queenmq.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An API key in force, without its secret. The secret has 256 random bits, so its plain SHA-256 hash reveals nothing
 * about it. Salts and slow hashes are for passwords, which can be guessed. Safe from any thread.
 */
public final class ApiKey {
    /** The prefix of every key. No JSON Web Token begins with it. */
    public static final String PREFIX = "qk_";

    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;
    private static final Pattern FORM = Pattern.compile("qk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})");

    private final String id;
    private final String name;
    private final byte[] hash;
    private final Role role;
    private final @Nullable Rights rights;
    private final long expiresAtMs;
    private volatile boolean isRevoked;
    private volatile long usedAtMs;

    /**
     * @param hash SHA-256 of the secret
     * @param rights null if only the role decides
     * @param expiresAtMs {@link Long#MAX_VALUE} for a key that does not expire
     */
    public ApiKey(String id, String name, byte[] hash, Role role, @Nullable Rights rights, long expiresAtMs) {
        this.id = id;
        this.name = name;
        this.hash = hash.clone();
        this.role = role;
        this.rights = rights;
        this.expiresAtMs = expiresAtMs;
    }

    public String id() {
        return id;
    }

    /** Compares in a time that does not depend on where the secrets differ. */
    public boolean isOpenedBy(Text text) {
        return MessageDigest.isEqual(hash, text.hash());
    }

    public boolean isInForce(long nowMs) {
        return !isRevoked && nowMs < expiresAtMs;
    }

    public void revoke() {
        isRevoked = true;
    }

    /** Returns the identity of the key. The prefix separates its name from subjects of tokens. */
    public Identity use(long nowMs) {
        usedAtMs = nowMs;
        return new Identity("key:" + name, role, rights, expiresAtMs, this);
    }

    /** Returns the time at which this server last accepted the key; 0 if it never did. */
    public long usedAtMs() {
        return usedAtMs;
    }

    /** A key as callers send it. Its text form never contains the secret. */
    public record Text(String id, String secret) {
        /** Returns a new key. */
        public static Text create(SecureRandom random) {
            byte[] id = new byte[ID_BYTES];
            byte[] secret = new byte[SECRET_BYTES];
            random.nextBytes(id);
            random.nextBytes(secret);
            return new Text(HexFormat.of().formatHex(id),
                    Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
        }

        /** Returns null if the text is not a key. */
        public static @Nullable Text parse(String text) {
            Matcher matcher = FORM.matcher(text);
            return matcher.matches() ? new Text(matcher.group(1), matcher.group(2)) : null;
        }

        /** Returns the complete key with its secret. */
        public String whole() {
            return PREFIX + id + "_" + secret;
        }

        public byte[] hash() {
            try {
                return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.US_ASCII));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return PREFIX + id + "_(secret)";
        }
    }
}
