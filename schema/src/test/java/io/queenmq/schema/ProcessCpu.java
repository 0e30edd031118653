package io.queenmq.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The CPU time of processes of this machine, to measure the cost of calls in PostgreSQL. */
final class ProcessCpu {
    private static final double TICKS_PER_SECOND = 100;

    private ProcessCpu() {}

    /** Returns true if the backend runs on this machine and /proc is available. */
    static boolean isKnownOf(Api session) {
        var stat = stat(session.backendPid());
        try {
            return Files.exists(stat) && Files.readString(stat).contains("(postgres");
        } catch (IOException e) {
            return false;
        }
    }

    static double seconds(Integer... pids) {
        return seconds(List.of(pids));
    }

    /** User and system time together; it moves in steps of 10 ms. */
    static double seconds(List<Integer> pids) {
        return pids.stream().mapToLong(ProcessCpu::ticks).sum() / TICKS_PER_SECOND;
    }

    private static long ticks(int pid) {
        try {
            var stat = Files.readString(stat(pid));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path stat(int pid) {
        return Path.of("/proc/" + pid + "/stat");
    }
}
