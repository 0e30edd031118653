package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A checksum of texts, as hex digits. */
final class Sha256 {
    private final MessageDigest digest;

    private Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Returns the checksum. A zero byte follows each text, so that moving text from one file to the next changes it. */
    static String of(Iterable<String> texts) {
        var sum = new Sha256();
        for (var text : texts) {
            sum.digest.update(text.getBytes(UTF_8));
            sum.digest.update((byte) 0);
        }
        return HexFormat.of().formatHex(sum.digest.digest());
    }
}
