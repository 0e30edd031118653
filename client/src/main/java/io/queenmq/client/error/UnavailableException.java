package io.queenmq.client.error;

import org.jspecify.annotations.Nullable;

/** No server could do what was asked, and it is certain that nothing was changed. Trying again later is safe. */
public final class UnavailableException extends QueenException {
    public UnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
