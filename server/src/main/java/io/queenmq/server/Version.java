package io.queenmq.server;

import io.queenmq.schema.Schema;

/** The version of this server. */
public final class Version {
    private Version() {}

    /** Returns the version with the commit, such as {@code 0.1.0+6afaee5a}. */
    public static String current() {
        return Schema.version();
    }
}
