package io.queenmq.server.config;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a public key from PEM text. */
final class PemKey {
    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";
    private static final int RSA_BITS_MIN = 2048;

    private PemKey() {}

    /** Returns null if the text contains neither an Ed25519 key nor an EC key nor an RSA key of 2048 bits or more. */
    static @Nullable PublicKey parse(String pem) {
        // Environment files cannot contain line breaks, so they are often written as two characters.
        String text = pem.replace("\\n", "\n");
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            return null;
        }
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            for (String kind : List.of("RSA", "EC", "Ed25519")) {
                PublicKey key = parse(kind, bytes);
                if (key != null) {
                    return key;
                }
            }
            return null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static @Nullable PublicKey parse(String kind, byte[] bytes) {
        try {
            PublicKey key = KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(bytes));
            boolean isWeak = key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < RSA_BITS_MIN;
            return isWeak ? null : key;
        } catch (GeneralSecurityException _) {
            return null; // a key of another kind
        }
    }
}
