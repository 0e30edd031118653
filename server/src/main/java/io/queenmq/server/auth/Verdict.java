package io.queenmq.server.auth;

/** The result of verifying a token. */
public sealed interface Verdict {
    /** The token is genuine and in force. */
    record Accepted(Identity identity) implements Verdict {}

    /** The token is not genuine or not in force. */
    record Refused(Rejection reason) implements Verdict {}

    /** The token names a key that is not known. The key may have been published after the keys were fetched. */
    record UnknownKey() implements Verdict {}
}
