package io.queenmq.engine.cipher;

/** A payload could not be encrypted or decrypted; the message is for the client and holds nothing secret. */
public final class CipherException extends RuntimeException {
    CipherException(String message) {
        super(message, null, false, false);
    }
}
