package io.queenmq.engine.cipher;

import java.util.Objects;

/** Thrown if a payload cannot be encrypted or decrypted. The message is for the client and must not contain secrets. */
public final class CipherException extends RuntimeException {
    CipherException(String message) {
        super(message, null, false, false);
    }

    /** Never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
