package io.queenmq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The CPU time of processes of this machine in seconds. NaN if unknown. */
final class ProcessCpu {
    /** The unit of Linux on all platforms of Java 25. */
    private static final double TICKS_PER_SECOND = 100;

    /** In /proc/PID/stat, counted from the state, which follows the name in brackets. */
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int ENDED_CHILDREN_USER = 13;
    private static final int ENDED_CHILDREN_SYSTEM = 14;

    private ProcessCpu() {}

    /** Returns the CPU time of this process without children. */
    static double of(long pid) {
        String[] stat = stat(pid);
        return stat == null ? fromHandle(pid) : (ticks(stat, USER) + ticks(stat, SYSTEM)) / TICKS_PER_SECOND;
    }

    /** Returns the CPU time of a process and its children, including ended children if the system reports them. */
    static double withChildren(long pid) {
        String[] stat = stat(pid);
        double ended = stat == null
                ? 0
                : (ticks(stat, ENDED_CHILDREN_USER) + ticks(stat, ENDED_CHILDREN_SYSTEM)) / TICKS_PER_SECOND;
        double children = ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children)
                .mapToDouble(child -> of(child.pid()))
                // The time of a child that has just ended is included in that of its parent.
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
