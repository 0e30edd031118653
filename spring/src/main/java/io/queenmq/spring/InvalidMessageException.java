package io.queenmq.spring;

import org.jspecify.annotations.Nullable;

/**
 * A message cannot be passed to its listener: its payload is invalid, or a required header is missing or has the wrong
 * type. A retry cannot succeed, so the message is dead-lettered at once, like one whose payload cannot be decoded.
 */
public final class InvalidMessageException extends RuntimeException {
    InvalidMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
