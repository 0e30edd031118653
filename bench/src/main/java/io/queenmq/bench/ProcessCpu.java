package io.queenmq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The CPU time of processes of this machine, in seconds; not a number where it cannot be known. */
final class ProcessCpu {
    /** What Linux counts in, on all machines Java 25 runs on. */
    private static final double TICKS_PER_SECOND = 100;

    /** In /proc/PID/stat, counted from the state, which follows the name in brackets. */
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int ENDED_CHILDREN_USER = 13;
    private static final int ENDED_CHILDREN_SYSTEM = 14;

    private ProcessCpu() {}

    /** Of this process alone. */
    static double of(long pid) {
        String[] stat = stat(pid);
        return stat == null ? fromHandle(pid) : (ticks(stat, USER) + ticks(stat, SYSTEM)) / TICKS_PER_SECOND;
    }

    /** Of this process and its children, those that have ended included where the system remembers them. */
    static double withChildren(long pid) {
        String[] stat = stat(pid);
        double ended = stat == null
                ? 0
                : (ticks(stat, ENDED_CHILDREN_USER) + ticks(stat, ENDED_CHILDREN_SYSTEM)) / TICKS_PER_SECOND;
        double children = ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children)
                .mapToDouble(child -> of(child.pid()))
                // A child that has just ended is among those the parent remembers.
                .filter(seconds -> !Double.isNaN(seconds)).sum();
        return of(pid) + ended + children;
    }

    private static String @Nullable [] stat(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return line.substring(line.lastIndexOf(')') + 2).split(" ");
        } catch (IOException _) {
            return null;
        }
    }

    private static long ticks(String[] stat, int field) {
        return Long.parseLong(stat[field]);
    }

    private static double fromHandle(long pid) {
        return ProcessHandle.of(pid).flatMap(process -> process.info().totalCpuDuration()).map(Duration::toNanos)
                .map(nanos -> nanos / 1e9).orElse(Double.NaN);
    }
}
