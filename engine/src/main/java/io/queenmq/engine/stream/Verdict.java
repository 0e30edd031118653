package io.queenmq.engine.stream;

import io.queenmq.engine.ack.AckSorter;
import java.util.Locale;

/** What the database says of a cycle; named as the routine judge_cycles does. */
enum Verdict {
    /** It took effect. */
    GO(null),
    /** It took effect before. */
    REPEATED(null),
    /** Somebody is working on its partition at this moment: come back. */
    BUSY("the partition is locked by another transaction of the database"),
    NO_QUERY("there is no such query"),
    NO_PARTITION(AckSorter.NO_PARTITION),
    LEASE_GONE("the lease has expired or was taken over"),
    /** A flush would change what a holder of the lease has read. */
    LEASED("the partition is leased: state can be changed without an ack only when nobody works on it"),
    /** A flush would change what others have changed since it was read. */
    STALE("the state was changed since it was read, or it was not read: read it again");

    private final String reason;

    Verdict(String reason) {
        this.reason = reason;
    }

    static Verdict of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Why it took no effect, in words for whoever sent it; null when it did. */
    String reason() {
        return reason;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
