package io.queenmq.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;

/** Reads one published key. */
final class Jwk {
    private static final int RSA_BITS_MIN = 2048;
    private static final int ED25519_BYTES = 32;

    private Jwk() {}

    /** Null when it is of a kind that is not used here, too weak, or not for signatures. */
    static PublicKey publicKey(JsonNode key) {
        if (key.has("use") && !key.path("use").asText().equals("sig")) {
            return null;
        }
        String algorithm = key.path("alg").asText("");
        try {
            return switch (key.path("kty").asText()) {
                case "RSA" -> algorithm.isEmpty() || algorithm.equals("RS256") ? rsa(key) : null;
                case "OKP" -> key.path("crv").asText().equals("Ed25519") ? ed25519(key) : null;
                default -> null;
            };
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            return null;
        }
    }

    private static PublicKey rsa(JsonNode key) throws GeneralSecurityException {
        BigInteger modulus = new BigInteger(1, bytes(key, "n"));
        if (modulus.bitLength() < RSA_BITS_MIN) {
            return null;
        }
        return KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, new BigInteger(1, bytes(key, "e"))));
    }

    private static PublicKey ed25519(JsonNode key) throws GeneralSecurityException {
        byte[] x = bytes(key, "x");
        if (x.length != ED25519_BYTES) {
            return null;
        }
        // The point's y, least byte first; its last bit says whether x is odd.
        boolean isXOdd = x[ED25519_BYTES - 1] < 0;
        x[ED25519_BYTES - 1] &= 0x7f;
        for (int i = 0; i < ED25519_BYTES / 2; i++) {
            byte other = x[ED25519_BYTES - 1 - i];
            x[ED25519_BYTES - 1 - i] = x[i];
            x[i] = other;
        }
        EdECPoint point = new EdECPoint(isXOdd, new BigInteger(1, x));
        return KeyFactory.getInstance("Ed25519")
                .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    private static byte[] bytes(JsonNode key, String field) {
        return Base64.getUrlDecoder().decode(key.path(field).asText());
    }
}
