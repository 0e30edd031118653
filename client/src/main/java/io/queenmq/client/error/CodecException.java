package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/** A payload could not be turned into JSON, or JSON not into the wanted type. */
public final class CodecException extends QueenException {
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
