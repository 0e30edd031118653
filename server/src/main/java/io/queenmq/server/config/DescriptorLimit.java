package io.queenmq.server.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The number of files and sockets that a process may have open. Without a free one the server can neither connect to
 * PostgreSQL nor write its spool, so the connections of clients must stay below it.
 */
record DescriptorLimit(long max) {
    private static final int RESERVE_MIN = 256;
    private static final int RESERVE_MAX = 1_024;
    /** With fewer descriptors a server does not start. */
    static final int MIN = 512;

    /** Returns the limit of this process. The JVM has raised it to the hard limit. */
    static DescriptorLimit ofThisProcess() {
        return new DescriptorLimit(
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        ? system.getMaxFileDescriptorCount()
                        : Integer.MAX_VALUE);
    }

    /** Returns the number of descriptors that clients may not use: a quarter of all, from 256 to 1,024. */
    int reserve() {
        return Math.clamp(max / 4, RESERVE_MIN, RESERVE_MAX);
    }

    /** Returns the largest number of connections that leaves the reserve free. */
    int connectionsMax() {
        return Math.clamp(max - reserve(), 1, Integer.MAX_VALUE);
    }
}
