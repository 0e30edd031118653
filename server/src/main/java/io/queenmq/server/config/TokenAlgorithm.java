package io.queenmq.server.config;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The signature algorithms that tokens may use, and no others. Each belongs to one kind of key, so a public key is never
 * used as a secret.
 */
public enum TokenAlgorithm {
    HS256(Kind.SECRET, 32),
    HS384(Kind.SECRET, 48),
    HS512(Kind.SECRET, 64),
    RS256(Kind.RSA, 2048),
    RS384(Kind.RSA, 2048),
    RS512(Kind.RSA, 2048),
    PS256(Kind.RSA, 2048),
    PS384(Kind.RSA, 2048),
    PS512(Kind.RSA, 2048),
    ES256(Kind.EC, 256),
    ES384(Kind.EC, 384),
    ES512(Kind.EC, 521),
    EDDSA(Kind.ED25519, 255);

    /** The kinds of keys. */
    public enum Kind {
        SECRET("a secret"),
        RSA("an RSA key of 2048 bits or more"),
        EC("an EC key on the curve of the algorithm (P-256, P-384 or P-521)"),
        ED25519("an Ed25519 key");

        private final String inWords;

        Kind(String inWords) {
            this.inWords = inWords;
        }

        String inWords() {
            return inWords;
        }
    }

    private final Kind kind;
    private final int size;

    TokenAlgorithm(Kind kind, int size) {
        this.kind = kind;
        this.size = size;
    }

    public Kind kind() {
        return kind;
    }

    /** The name in the header of a token. */
    public String label() {
        return this == EDDSA ? "EdDSA" : name();
    }

    /** Returns the algorithm with this name in the header of a token, or null if it is not allowed. */
    public static @Nullable TokenAlgorithm named(String label) {
        return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst().orElse(null);
    }

    /** The smallest length of a secret in bytes: the length of the hash, as RFC 7518 requires. */
    int secretBytesMin() {
        return size;
    }

    /** Returns true if tokens of this algorithm can be verified with the key. */
    public boolean accepts(PublicKey key) {
        return switch (kind) {
            case SECRET -> false;
            case RSA -> key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() >= size;
            case EC -> key instanceof ECPublicKey ec && ec.getParams().getCurve().getField().getFieldSize() == size;
            case ED25519 -> key instanceof EdECPublicKey ed
                    && ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName());
        };
    }
}
