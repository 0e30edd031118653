package io.queenmq.server.auth;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.queenmq.server.auth.PublicKeys.Key;
import io.queenmq.server.config.TokenAlgorithm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document of published keys (JWKS). Keys that are of another kind, too weak, broken or not for signatures are
 * skipped one by one, so that they do not disable the others.
 */
final class KeyDocument {
    /** A token without a key id is tried with all keys, so their number is bounded. */
    static final int KEYS_MAX = 200;

    /** The ASN.1 bytes before the 32 bytes of an Ed25519 key in its X.509 encoding. */
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final int ED25519_BYTES = 32;

    private KeyDocument() {}

    /** Returns the usable keys by their ids; keys without an id are under the empty text. */
    static Map<String, List<Key>> read(byte[] document) throws IOException {
        Map<String, List<Key>> keys = new HashMap<>();
        for (Object each : entries(document)) {
            JWK jwk = parse(each);
            Key key = jwk == null ? null : key(jwk);
            if (jwk != null && key != null) {
                String id = jwk.getKeyID() == null ? "" : jwk.getKeyID();
                keys.computeIfAbsent(id, _ -> new ArrayList<>()).add(key);
            }
        }
        return keys;
    }

    private static List<Object> entries(byte[] document) throws IOException {
        try {
            Map<String, Object> fields = JSONObjectUtils.parse(new String(document, StandardCharsets.UTF_8));
            List<Object> entries = JSONObjectUtils.getJSONArray(fields, "keys");
            if (entries == null) {
                throw new IOException("the response has no list of keys");
            }
            if (entries.size() > KEYS_MAX) {
                throw new IOException("the response has more than " + KEYS_MAX + " keys");
            }
            return entries;
        } catch (ParseException _) {
            throw new IOException("the response is not a list of keys in JSON");
        }
    }

    @SuppressWarnings("unchecked") // an object of JSON has names as keys
    private static @Nullable JWK parse(Object entry) {
        try {
            return entry instanceof Map<?, ?> fields ? JWK.parse((Map<String, Object>) fields) : null;
        } catch (ParseException | RuntimeException _) {
            return null;
        }
    }

    /** Returns null if the key cannot be used. */
    private static @Nullable Key key(JWK jwk) {
        boolean isForSignatures = (jwk.getKeyUse() == null || jwk.getKeyUse().equals(KeyUse.SIGNATURE))
                && (jwk.getKeyOperations() == null || jwk.getKeyOperations().contains(KeyOperation.VERIFY));
        if (!isForSignatures) {
            return null;
        }
        try {
            PublicKey key = switch (jwk) {
                case RSAKey rsa -> rsa.toRSAPublicKey();
                case ECKey ec -> ec.toECPublicKey();
                case OctetKeyPair pair when pair.getCurve().equals(Curve.Ed25519) -> ed25519(pair.getDecodedX());
                default -> null;
            };
            return key != null && Arrays.stream(TokenAlgorithm.values()).anyMatch(each -> each.accepts(key))
                    ? new Key(key, algorithm(jwk.getAlgorithm()))
                    : null;
        } catch (JOSEException | GeneralSecurityException | IllegalArgumentException _) {
            return null;
        }
    }

    /** Ed25519 has two names: that of the algorithm alone, and that of the family. */
    private static @Nullable JWSAlgorithm algorithm(@Nullable Algorithm named) {
        if (named == null) {
            return null;
        }
        return named.equals(JWSAlgorithm.Ed25519) ? JWSAlgorithm.EdDSA : JWSAlgorithm.parse(named.getName());
    }

    private static @Nullable PublicKey ed25519(byte[] x) throws GeneralSecurityException {
        if (x.length != ED25519_BYTES) {
            return null;
        }
        byte[] encoded = Arrays.copyOf(ED25519_PREFIX, ED25519_PREFIX.length + ED25519_BYTES);
        System.arraycopy(x, 0, encoded, ED25519_PREFIX.length, ED25519_BYTES);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }
}
