package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/** A payload could not be converted to JSON, or JSON could not be converted to the requested type. */
public final class CodecException extends QueenException {
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
