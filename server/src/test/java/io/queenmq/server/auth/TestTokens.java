package io.queenmq.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs tokens, and publishes keys, as somebody outside would. */
public final class TestTokens {
    public static final String SECRET = "a secret of the tests, long enough";
    public static final KeyPair RSA = pair("RSA");
    public static final KeyPair OTHER_RSA = pair("RSA");
    public static final KeyPair ED = pair("Ed25519");

    private TestTokens() {}

    /** Signed with {@link #SECRET}. */
    public static String hs256(String claims) {
        return hs256(claims, SECRET.getBytes(StandardCharsets.UTF_8));
    }

    static String hs256(String claims, byte[] secret) {
        String signed = part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "." + part(claims);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return signed + "." + part(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param keyId null for none */
    public static String rs256(String claims, String keyId, PrivateKey key) {
        return sign("RS256", "SHA256withRSA", claims, keyId, key);
    }

    static String edDsa(String claims, String keyId, PrivateKey key) {
        return sign("EdDSA", "Ed25519", claims, keyId, key);
    }

    static String unsigned(String header, String claims) {
        return part(header) + "." + part(claims) + ".";
    }

    private static String sign(String name, String algorithm, String claims, String keyId, PrivateKey key) {
        String header = "{\"alg\":\"" + name + "\"" + (keyId == null ? "" : ",\"kid\":\"" + keyId + "\"") + "}";
        String signed = part(header) + "." + part(claims);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + part(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String pem(PublicKey key) {
        return "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(
                key.getEncoded()) + "\n-----END PUBLIC KEY-----\n";
    }

    /** The key as it is published. */
    public static String jwk(String keyId, PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa -> "{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}"
                    .formatted(keyId, part(rsa.getModulus().toByteArray()),
                            part(rsa.getPublicExponent().toByteArray()));
            // The encoding of an Ed25519 key ends with the 32 bytes that are published.
            case EdECPublicKey ed ->
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"%s\",\"x\":\"%s\"}".formatted(keyId,
                        part(Arrays.copyOfRange(ed.getEncoded(), ed.getEncoded().length - 32, ed.getEncoded().length)));
            default -> throw new IllegalArgumentException(key.getAlgorithm());
        };
    }

    private static String part(String text) {
        return part(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String part(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static KeyPair pair(String algorithm) {
        try {
            return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
