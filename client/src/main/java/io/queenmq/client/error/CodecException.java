package io.queenmq.client.error;

/** A payload could not be turned into JSON, or JSON not into the wanted type. */
public final class CodecException extends QueenException {
    public CodecException(String message, Throwable cause) {
        super(message, cause);
    }
}
