package io.queenmq.server.auth;

/** What was found out about a token. */
public sealed interface Verdict {
    /** It is genuine and in force. */
    record Accepted(Identity identity) implements Verdict {}

    /** It is not; the reason is for the client. */
    record Refused(String reason) implements Verdict {}

    /** It names a key that is not known. The key may have been published since the keys were fetched. */
    record UnknownKey() implements Verdict {}

    /** There is nothing to check it with, because the published keys could not be fetched yet. */
    record Unavailable() implements Verdict {}
}
