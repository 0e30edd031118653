package io.queenmq.server.auth;

import io.queenmq.server.config.AuthConfig;
import io.queenmq.server.config.AuthConfig.Algorithm;
import io.queenmq.server.config.AuthConfig.RoleNames;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Checks tokens. The algorithm in a token only chooses among those that are configured, and each has a key of its own
 * kind: a public key never serves as a secret. Safe from any thread.
 */
final class TokenVerifier {
    private static final String NOT_GENUINE = "the token's signature is wrong";
    private static final int SUBJECT_CHARACTERS_MAX = 255;

    private final AuthConfig config;
    private final PublicKeys keys;
    private final SecretKeySpec secret;

    /** @param keys null when there are none, and only secrets are used */
    TokenVerifier(AuthConfig config, PublicKeys keys) {
        this.config = config;
        this.keys = keys;
        this.secret = config.secret() == null ? null : new SecretKeySpec(config.secret().bytes(), "HmacSHA256");
    }

    Verdict verify(String text, long nowMs) {
        Token token = Token.parse(text);
        if (token == null) {
            return new Verdict.Refused("the token is not a JSON Web Token");
        }
        try {
            Verdict doubt = switch (token.algorithm()) {
                case "HS256" -> mayBe(Algorithm.HS256) && secret != null ? checkSecret(token) : unexpected();
                case "RS256" -> mayBe(Algorithm.RS256) && keys != null ? checkPublic(token) : unexpected();
                case "EdDSA" -> mayBe(Algorithm.EDDSA) && keys != null ? checkPublic(token) : unexpected();
                default -> unexpected();
            };
            return doubt == null ? checkClaims(token, nowMs) : doubt;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK does not know " + token.algorithm(), e);
        }
    }

    private boolean mayBe(Algorithm algorithm) {
        return config.algorithm() == algorithm || config.algorithm() == Algorithm.AUTO;
    }

    private static Verdict unexpected() {
        return new Verdict.Refused("tokens signed in this way are not accepted");
    }

    private Verdict checkSecret(Token token) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(secret);
        boolean isGenuine = MessageDigest.isEqual(mac.doFinal(token.signed()), token.signature());
        return isGenuine ? null : new Verdict.Refused(NOT_GENUINE);
    }

    private Verdict checkPublic(Token token) throws GeneralSecurityException {
        List<PublicKey> candidates = keys.of(token.keyId());
        if (candidates == null) {
            return new Verdict.Unavailable();
        }
        boolean isRsa = token.algorithm().equals("RS256");
        boolean isTried = false;
        for (PublicKey key : candidates) {
            if (isRsa ? key instanceof RSAPublicKey : key instanceof EdECPublicKey) {
                isTried = true;
                if (isSigned(token, key, isRsa ? "SHA256withRSA" : "Ed25519")) {
                    return null;
                }
            }
        }
        return isTried ? new Verdict.Refused(NOT_GENUINE) : new Verdict.UnknownKey();
    }

    private static boolean isSigned(Token token, PublicKey key, String algorithm) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        try {
            signature.initVerify(key);
            signature.update(token.signed());
            return signature.verify(token.signature());
        } catch (java.security.SignatureException | InvalidKeyException _) {
            return false; // it has not even the form of one
        }
    }

    private Verdict checkClaims(Token token, long nowMs) {
        double now = nowMs / 1000.0;
        double skew = config.clockSkew().toSeconds();
        double expires = token.seconds("exp", Double.POSITIVE_INFINITY) + skew;
        // Written so that nonsense, which compares as neither, is refused.
        if (!(now < expires)) {
            return new Verdict.Refused("the token has expired");
        }
        if (!(token.seconds("nbf", 0) - skew <= now) || !(token.seconds("iat", 0) - skew <= now)) {
            return new Verdict.Refused("the token is not valid yet");
        }
        if (config.issuer() != null && !config.issuer().equals(token.claims().get("iss"))) {
            return new Verdict.Refused("the token was issued by somebody else");
        }
        if (config.audience() != null && !token.textsOf("aud").contains(config.audience())) {
            return new Verdict.Refused("the token is for somebody else");
        }
        Object subject = token.claims().get("sub");
        if (subject != null && !(subject instanceof String text && isName(text))) {
            return new Verdict.Refused("sub of the token must be a text of at most " + SUBJECT_CHARACTERS_MAX
                    + " characters, none of them a control character");
        }
        double expiresMs = expires * 1000;
        return new Verdict.Accepted(new Identity((String) subject, role(token),
                expiresMs >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) expiresMs));
    }

    /** It is stored with messages and in the audit, so it has to be text that PostgreSQL takes. */
    private static boolean isName(String text) {
        return text.length() <= SUBJECT_CHARACTERS_MAX
                && text.codePoints().noneMatch(c -> Character.isISOControl(c) || c >= 0xd800 && c <= 0xdfff);
    }

    private Role role(Token token) {
        RoleNames names = config.roles();
        Set<String> single = token.textsOf(names.claim());
        Set<String> listed = token.textsOf(names.arrayClaim());
        if (single.contains(names.admin()) || listed.contains(names.admin())) {
            return Role.ADMIN;
        }
        if (single.contains(names.readWrite()) || listed.contains(names.readWrite())) {
            return Role.READ_WRITE;
        }
        return single.contains(names.readOnly()) || listed.contains(names.readOnly()) ? Role.READ_ONLY : Role.NONE;
    }
}
