package io.queenmq.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import io.queenmq.server.config.AuthConfig;
import io.queenmq.server.config.AuthConfig.RoleNames;
import io.queenmq.server.config.TokenAlgorithm;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens. The algorithm in a token only chooses among those that are configured, and each has a key of its own
 * kind: a public key is never used as a secret. Safe from any thread.
 */
final class TokenVerifier {
    /** No longer than the head of a request. */
    static final int TOKEN_CHARACTERS_MAX = 16 * 1024;

    private static final int SUBJECT_CHARACTERS_MAX = 255;
    private static final int PARTS = 3;

    private final AuthConfig config;
    private final @Nullable PublicKeys keys;
    private final Supplier<@Nullable Revocations> revocations;
    private final @Nullable MACVerifier secret;

    /**
     * @param keys null if only a secret is configured
     * @param revocations the tokens that were revoked; null while they could not be loaded
     */
    TokenVerifier(AuthConfig config, @Nullable PublicKeys keys, Supplier<@Nullable Revocations> revocations) {
        this.config = config;
        this.keys = keys;
        this.revocations = revocations;
        try {
            this.secret = config.keys().secret() == null ? null : new MACVerifier(config.keys().secret().bytes());
        } catch (JOSEException e) {
            throw new IllegalArgumentException(e);
        }
    }

    Verdict verify(String text, long nowMs) {
        JWSObject token = parse(text);
        if (token == null) {
            return new Verdict.Refused(Rejection.MALFORMED);
        }
        try {
            Verdict failed = checkSignature(token);
            if (failed != null) {
                return failed;
            }
        } catch (JOSEException e) {
            throw new IllegalStateException("cannot verify " + token.getHeader().getAlgorithm(), e);
        }
        Claims claims = Claims.parse(token.getPayload().toBytes());
        if (claims == null) {
            return new Verdict.Refused(Rejection.MALFORMED);
        }
        Rejection wrong = check(claims, nowMs);
        if (wrong != null) {
            return new Verdict.Refused(wrong);
        }
        try {
            return new Verdict.Accepted(
                    new Identity((String) claims.get("sub"), role(claims), rights(claims), expiresAtMs(claims)));
        } catch (MalformedRights _) {
            return new Verdict.Refused(Rejection.RIGHTS);
        }
    }

    /** Returns null if the token does not have the claim. */
    private @Nullable Rights rights(Claims claims) {
        String claim = config.roles().rightsClaim();
        return claims.fields().containsKey(claim) ? Rights.ofClaim(claims.get(claim)) : null;
    }

    /** Returns null if the text is not a token, or if it uses extensions that must be understood. */
    private static @Nullable JWSObject parse(String text) {
        if (text.length() > TOKEN_CHARACTERS_MAX) {
            return null;
        }
        try {
            requireOneText(text);
            JWSObject token = JWSObject.parse(text);
            JWSHeader header = token.getHeader();
            return header.getCriticalParams() == null && header.isBase64URLEncodePayload() ? token : null;
        } catch (ParseException | RuntimeException _) {
            return null;
        }
    }

    /**
     * Rejects other texts of the same token. The library ignores characters that are not base64url, and incomplete ones at the
     * end of a part.
     */
    private static void requireOneText(String text) {
        String[] parts = text.split("\\.", PARTS + 1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("not three parts");
        }
        for (String part : parts) {
            byte[] bytes = Base64.getUrlDecoder().decode(part);
            if (bytes.length == 0 || !Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
                throw new IllegalArgumentException("not base64url as it is encoded");
            }
        }
    }

    /** Returns null if the signature is genuine. */
    private @Nullable Verdict checkSignature(JWSObject token) throws JOSEException {
        TokenAlgorithm algorithm = TokenAlgorithm.named(token.getHeader().getAlgorithm().getName());
        if (algorithm == null || !config.algorithms().contains(algorithm)) {
            return new Verdict.Refused(Rejection.ALGORITHM);
        }
        if (algorithm.kind() != TokenAlgorithm.Kind.SECRET) {
            return keys == null ? new Verdict.Refused(Rejection.ALGORITHM) : checkPublic(token, algorithm, keys);
        }
        // A secret that is shorter than the hash is not used with it.
        if (secret == null || !secret.supportedJWSAlgorithms().contains(token.getHeader().getAlgorithm())) {
            return new Verdict.Refused(Rejection.ALGORITHM);
        }
        return isSigned(token, secret) ? null : new Verdict.Refused(Rejection.SIGNATURE);
    }

    private static @Nullable Verdict checkPublic(JWSObject token, TokenAlgorithm algorithm, PublicKeys keys)
            throws JOSEException {
        List<PublicKeys.Key> candidates = keys.of(token.getHeader().getKeyID());
        if (candidates == null) {
            return new Verdict.Refused(Rejection.UNAVAILABLE);
        }
        boolean isTried = false;
        for (PublicKeys.Key each : candidates) {
            boolean isMeant = each.algorithm() == null || each.algorithm().equals(token.getHeader().getAlgorithm());
            if (isMeant && algorithm.accepts(each.key())) {
                isTried = true;
                if (isSigned(token, verifier(each.key()))) {
                    return null;
                }
            }
        }
        return isTried ? new Verdict.Refused(Rejection.SIGNATURE) : new Verdict.UnknownKey();
    }

    private static JWSVerifier verifier(PublicKey key) throws JOSEException {
        return switch (key) {
            case RSAPublicKey rsa -> new RSASSAVerifier(rsa);
            case ECPublicKey ec -> new ECDSAVerifier(ec);
            default -> new Ed25519Verifier(key);
        };
    }

    private static boolean isSigned(JWSObject token, JWSVerifier verifier) throws JOSEException {
        return verifier.verify(token.getHeader(), token.getSigningInput(), token.getSignature());
    }

    /** Returns null if the claims are as configured. */
    private @Nullable Rejection check(Claims claims, long nowMs) {
        double now = nowMs / 1000.0;
        double skew = config.claims().clockSkew().toSeconds();
        if (config.claims().isExpiryRequired() && claims.get("exp") == null) {
            return Rejection.NO_EXPIRY;
        }
        // Written so that NaN, which is neither less nor greater, is rejected.
        if (!(now < claims.seconds("exp", Double.POSITIVE_INFINITY) + skew)) {
            return Rejection.EXPIRED;
        }
        if (!(claims.seconds("nbf", 0) - skew <= now) || !(claims.seconds("iat", 0) - skew <= now)) {
            return Rejection.NOT_YET_VALID;
        }
        if (config.claims().issuer() != null && !config.claims().issuer().equals(claims.get("iss"))) {
            return Rejection.ISSUER;
        }
        if (config.claims().audience() != null && !claims.texts("aud").contains(config.claims().audience())) {
            return Rejection.AUDIENCE;
        }
        Object subject = claims.get("sub");
        if (subject != null && !(subject instanceof String text && isName(text))) {
            return Rejection.SUBJECT;
        }
        Revocations revoked = revocations.get();
        if (revoked == null) {
            return Rejection.UNAVAILABLE;
        }
        return revoked.contain(claims) ? Rejection.REVOKED : null;
    }

    private long expiresAtMs(Claims claims) {
        double expiresMs = (claims.seconds("exp", Double.POSITIVE_INFINITY) + config.claims().clockSkew().toSeconds())
                * 1000;
        return expiresMs >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) expiresMs;
    }

    /** The subject is stored with messages and in the audit log, so it must be text that PostgreSQL accepts. */
    private static boolean isName(String text) {
        return text.length() <= SUBJECT_CHARACTERS_MAX
                && text.codePoints().noneMatch(c -> Character.isISOControl(c) || c >= 0xd800 && c <= 0xdfff);
    }

    private Role role(Claims claims) {
        RoleNames names = config.roles();
        Set<String> single = claims.texts(names.claim());
        Set<String> listed = claims.texts(names.arrayClaim());
        if (single.contains(names.admin()) || listed.contains(names.admin())) {
            return Role.ADMIN;
        }
        if (single.contains(names.readWrite()) || listed.contains(names.readWrite())) {
            return Role.READ_WRITE;
        }
        return single.contains(names.readOnly()) || listed.contains(names.readOnly()) ? Role.READ_ONLY : Role.NONE;
    }
}
