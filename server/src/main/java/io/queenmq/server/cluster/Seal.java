package io.queenmq.server.cluster;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates the frames between members. Without the key of the group, frames cannot be read, changed or
 * forged. Each start of a server derives its own key from the group key and a random salt, and numbers its frames. Rules: a
 * number is used at most once per key, and a replayed frame is rejected by its number. Safe from any thread.
 *
 * <p>
 * A sealed frame contains the salt of the sender, the number, and the output of AES-GCM for the content.
 */
final class Seal {
    private static final int SALT_BYTES = 16;
    private static final int HEADER_BYTES = SALT_BYTES + Long.BYTES;
    private static final int TAG_BYTES = 16;
    /** The number of bytes that sealing adds to the content. */
    static final int OVERHEAD = HEADER_BYTES + TAG_BYTES;
    private static final int NONCE_BYTES = 12;
    private static final int SENDERS_MAX = 1_000;
    /** Looking up the algorithm costs more than sealing a hint, and the threads that seal and open are few and long-lived. */
    private static final ThreadLocal<Cipher> CIPHER = ThreadLocal.withInitial(() -> {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES/GCM", e);
        }
    });

    private final byte[] groupKey;
    private final UUID salt;
    private final SecretKeySpec key;
    private final AtomicLong number = new AtomicLong();
    private final Map<UUID, Sender> senders = new ConcurrentHashMap<>();

    Seal(byte[] groupKey) {
        this.groupKey = groupKey.clone();
        byte[] bytes = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(bytes);
        ByteBuffer random = ByteBuffer.wrap(bytes);
        this.salt = new UUID(random.getLong(), random.getLong());
        this.key = keyOf(salt);
    }

    private SecretKeySpec keyOf(UUID sender) {
        return new SecretKeySpec(hmac(groupKey, ByteBuffer.allocate(SALT_BYTES).putLong(sender.getMostSignificantBits())
                .putLong(sender.getLeastSignificantBits()).array()), "AES");
    }

    static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }

    /** Seals a frame. A receiver must receive the frames of a sender in the order in which they were sealed. */
    byte[] close(byte[] content) {
        ByteBuffer frame = ByteBuffer.allocate(content.length + OVERHEAD);
        long next = number.incrementAndGet();
        frame.putLong(salt.getMostSignificantBits()).putLong(salt.getLeastSignificantBits()).putLong(next);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, next, frame.array());
            cipher.doFinal(content, 0, content.length, frame.array(), HEADER_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES/GCM", e);
        }
        return frame.array();
    }

    /**
     * Returns the content of a frame; null if this frame, or one that was sealed after it, was received before.
     *
     * @throws GeneralSecurityException if the frame was not sealed by a member
     */
    byte @Nullable [] open(byte[] frame) throws GeneralSecurityException {
        if (frame.length < OVERHEAD) {
            throw new GeneralSecurityException("the frame has " + frame.length + " bytes, fewer than " + OVERHEAD);
        }
        ByteBuffer header = ByteBuffer.wrap(frame);
        UUID from = new UUID(header.getLong(), header.getLong());
        long frameNumber = header.getLong();
        Sender known = senders.get(from);
        SecretKeySpec senderKey = known == null ? keyOf(from) : known.key;
        byte[] content = cipher(Cipher.DECRYPT_MODE, senderKey, frameNumber, frame).doFinal(frame, HEADER_BYTES,
                frame.length - HEADER_BYTES);
        if (known == null) {
            if (senders.size() >= SENDERS_MAX) {
                senders.clear();
            }
            known = senders.computeIfAbsent(from, _ -> new Sender(senderKey));
        }
        return known.isNext(frameNumber) ? content : null;
    }

    private static Cipher cipher(int mode, SecretKeySpec key, long number, byte[] frame)
            throws GeneralSecurityException {
        byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putLong(NONCE_BYTES - Long.BYTES, number).array();
        Cipher cipher = CIPHER.get();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(frame, 0, HEADER_BYTES);
        return cipher;
    }

    /** One start of a server from which frames were received. */
    private static final class Sender {
        private final SecretKeySpec key;
        private long latest;

        Sender(SecretKeySpec key) {
            this.key = key;
        }

        synchronized boolean isNext(long number) {
            boolean isNext = number > latest;
            if (isNext) {
                latest = number;
            }
            return isNext;
        }
    }
}
