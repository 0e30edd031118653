package io.queenmq.engine.stream;

import io.queenmq.engine.ack.AckSorter;
import java.util.Locale;

/** The result of the database for a cycle, with the names of the routine check_cycles. */
enum Verdict {
    /** The cycle took effect. */
    GO(""),
    /** The cycle took effect before. */
    REPEATED(""),
    /** Another transaction has locked its partition. The cycle is repeated. */
    BUSY("the partition is locked by another transaction of the database"),
    NO_QUERY("there is no such query"),
    NO_PARTITION(AckSorter.NO_PARTITION),
    LEASE_GONE("the lease has expired or was taken over"),
    /** The flush would change state that the consumer of a lease has read. */
    LEASED("the partition is leased: state can be changed without an ack only while it is not leased"),
    /** The flush would overwrite changes that were made after its runner read the state. */
    STALE("the state was changed since it was read, or it was not read: read it again");

    private final String reason;

    Verdict(String reason) {
        this.reason = reason;
    }

    static Verdict of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the reason for which the cycle took no effect, as a text for the client; empty if it took effect. */
    String reason() {
        return reason;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
