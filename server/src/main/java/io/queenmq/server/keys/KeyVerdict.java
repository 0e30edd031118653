package io.queenmq.server.keys;

import io.queenmq.server.auth.Identity;

/** The result of a check of an API key. */
public sealed interface KeyVerdict {
    /** The key is in force. */
    record Accepted(Identity identity) implements KeyVerdict {}

    /** The key is unknown, revoked or expired; the reason is for the caller and the same for all of these. */
    record Rejected(String reason) implements KeyVerdict {}

    /** The loaded keys are too old to decide whether the key is in force. */
    record Unavailable(String reason) implements KeyVerdict {}
}
