package io.queenmq.server.auth;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs tokens and publishes keys like an external issuer. */
public final class TestTokens {
    public static final String SECRET = "a secret of the tests, long enough";
    public static final KeyPair RSA = pair("RSA");
    public static final KeyPair OTHER_RSA = pair("RSA");
    public static final KeyPair ED = pair("Ed25519");

    private static final long VALID_SECONDS = 3_600;

    private TestTokens() {}

    /** Signed with {@link #SECRET}, and valid for an hour. */
    public static String valid(String claims) {
        return hs256(expiring(claims));
    }

    /** The claims with an {@code exp} in an hour. */
    public static String expiring(String claims) {
        String separator = claims.equals("{}") ? "" : ",";
        return claims.substring(0, claims.length() - 1) + separator + "\"exp\":"
                + (System.currentTimeMillis() / 1000 + VALID_SECONDS) + "}";
    }

    /** Signed with {@link #SECRET}. */
    public static String hs256(String claims) {
        return hs256(claims, SECRET.getBytes(StandardCharsets.UTF_8));
    }

    static String hs256(String claims, byte[] secret) {
        return hmac("HS256", "HmacSHA256", claims, secret);
    }

    static String hmac(String name, String algorithm, String claims, byte[] secret) {
        return hmacWithHeader("{\"alg\":\"" + name + "\",\"typ\":\"JWT\"}", algorithm, claims, secret);
    }

    static String hmacWithHeader(String header, String algorithm, String claims, byte[] secret) {
        String signed = part(header) + "." + part(claims);
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret, algorithm));
            return signed + "." + part(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param keyId null for none */
    public static String rs256(String claims, String keyId, PrivateKey key) {
        return sign("RS256", "SHA256withRSA", claims, keyId, key);
    }

    /** @param name of the algorithm in the header of the token, such as {@code PS256} */
    static String signed(String name, String claims, PrivateKey key) {
        return switch (name.substring(0, 2)) {
            case "RS" -> sign(name, "SHA" + name.substring(2) + "withRSA", claims, null, key);
            case "ES" -> sign(name, "SHA" + name.substring(2) + "withECDSAinP1363Format", claims, null, key);
            case "PS" -> sign(name, "RSASSA-PSS", claims, null, key);
            default -> sign(name, "Ed25519", claims, null, key);
        };
    }

    static String edDsa(String claims, String keyId, PrivateKey key) {
        return sign("EdDSA", "Ed25519", claims, keyId, key);
    }

    static String unsigned(String header, String claims) {
        return part(header) + "." + part(claims) + ".";
    }

    private static String sign(String name, String algorithm, String claims, String keyId, PrivateKey key) {
        String header = "{\"alg\":\"" + name + "\"" + (keyId == null ? "" : ",\"kid\":\"" + keyId + "\"") + "}";
        return signWithHeader(header, name, algorithm, claims, key);
    }

    static String rs256WithHeader(String header, String claims, PrivateKey key) {
        return signWithHeader(header, "RS256", "SHA256withRSA", claims, key);
    }

    private static String signWithHeader(String header, String name, String algorithm, String claims, PrivateKey key) {
        String signed = part(header) + "." + part(claims);
        try {
            Signature signature = Signature.getInstance(algorithm);
            if (algorithm.equals("RSASSA-PSS")) {
                String hash = "SHA-" + name.substring(2);
                signature.setParameter(new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(hash),
                        Integer.parseInt(name.substring(2)) / 8, 1));
            }
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + part(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A key pair on the curve, such as {@code secp256r1}. */
    static KeyPair ec(String curve) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String pem(PublicKey key) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(key.getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    /** The key as it is published. */
    public static String jwk(String keyId, PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa ->
                "{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}".formatted(keyId,
                        part(rsa.getModulus().toByteArray()), part(rsa.getPublicExponent().toByteArray()));
            // The encoding of an Ed25519 key ends with the 32 bytes that are published.
            case EdECPublicKey ed ->
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"%s\",\"x\":\"%s\"}".formatted(keyId,
                        part(Arrays.copyOfRange(ed.getEncoded(), ed.getEncoded().length - 32, ed.getEncoded().length)));
            case ECPublicKey ec ->
                new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec).keyID(keyId).build().toJSONString();
            default -> throw new IllegalArgumentException(key.getAlgorithm());
        };
    }

    static String part(String text) {
        return part(text.getBytes(StandardCharsets.UTF_8));
    }

    static String part(byte[] bytes) {
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
