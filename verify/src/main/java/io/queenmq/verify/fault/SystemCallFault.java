package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.SystemCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Delays system calls of PostgreSQL or makes them fail. */
final class SystemCallFault implements Fault {
    private static final String FSYNC = "fsync,fdatasync";
    /** The calls that extend tables and write new WAL files. */
    private static final String EXTEND = "fallocate,pwritev,pwritev2,ftruncate";

    private final String name;
    private final String description;
    private final String calls;
    private final String change;
    private final boolean isFatal;

    private SystemCallFault(String name, String description, String calls, String change, boolean isFatal) {
        this.name = name;
        this.description = description;
        this.calls = calls;
        this.change = change;
        this.isFatal = isFatal;
    }

    static Fault slowFsync() {
        return new SystemCallFault("fsync-slow", "each fsync of PostgreSQL takes 300 ms longer", FSYNC,
                "delay_enter=300000", false);
    }

    static Fault failingFsync() {
        return new SystemCallFault("fsync-failing", "each fsync of PostgreSQL fails, which crashes it", FSYNC,
                "error=EIO", true);
    }

    static Fault fullDisk() {
        return new SystemCallFault("disk-full", "PostgreSQL cannot extend its files, because the disk is full", EXTEND,
                "error=ENOSPC", true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public List<String> excuses() {
        return isFatal ? List.of("leases") : List.of();
    }

    @Override
    public boolean isOfPostmaster() {
        return true;
    }

    @Override
    public Optional<String> unavailable() {
        return SystemCalls.unavailable();
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        try (SystemCalls _ = SystemCalls.change(cluster.database().pids(), calls, change)) {
            Fault.hold(duration);
        }
        cluster.database().revive();
    }
}
