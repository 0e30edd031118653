package io.queenmq.server.auth;

import java.util.Locale;

/** A right on queues, as tokens and API keys grant it. No right includes another one. */
public enum Right {
    /** Push messages, also in transactions and stream cycles. */
    PUSH,
    /** Pop messages, acknowledge them, renew their leases, run stream queries over the queue. */
    POP,
    /** Configure, delete, clear, pause, seek, redrive, delete messages and dead letters. */
    MANAGE,
    /** See lists, messages, dead letters, lag and figures. */
    READ;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** Returns the name of the right in tokens, keys and documents. */
    public String word() {
        return word;
    }

    /** @throws MalformedRights if there is no such right */
    static Right of(String word) {
        for (Right right : values()) {
            if (right.word.equals(word)) {
                return right;
            }
        }
        throw new MalformedRights("\"" + word + "\" is not a right; use push, pop, manage, read or *");
    }
}
