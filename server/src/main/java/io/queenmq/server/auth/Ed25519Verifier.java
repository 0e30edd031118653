package io.queenmq.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.EdDSAProvider;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/** Verifies Ed25519 signatures with the JDK. The verifier of the library needs Tink, which the server does not have. */
final class Ed25519Verifier extends EdDSAProvider implements JWSVerifier {
    private final PublicKey key;

    Ed25519Verifier(PublicKey key) {
        this.key = key;
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signed, Base64URL signature) throws JOSEException {
        try {
            Signature verification = Signature.getInstance("Ed25519");
            verification.initVerify(key);
            verification.update(signed);
            return verification.verify(signature.decode());
        } catch (SignatureException _) {
            return false; // not even the form of a signature
        } catch (GeneralSecurityException e) {
            throw new JOSEException("Ed25519 verification failed", e);
        }
    }
}
