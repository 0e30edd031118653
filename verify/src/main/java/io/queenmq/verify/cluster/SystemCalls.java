package io.queenmq.verify.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Delays system calls of processes or makes them fail, with strace. Children that a process starts later are included. */
public final class SystemCalls implements AutoCloseable {
    private static final String PROGRAM = "strace";
    private static final Duration ATTACHED_WITHIN = Duration.ofSeconds(5);

    private final Process process;

    private SystemCalls(Process process) {
        this.process = process;
    }

    /** Returns the reason why system calls cannot be changed here; empty if they can. */
    public static Optional<String> unavailable() {
        Optional<String> missing = Programs.missing(PROGRAM, PROGRAM);
        return missing.isPresent() || Programs.run(PROGRAM, "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true")
                ? missing
                : Optional.of("strace is not permitted here");
    }

    /**
     * Changes system calls until {@link #close}, and returns when the processes are affected.
     *
     * @param calls names separated by commas
     * @param change such as {@code error=ENOSPC} or {@code delay_enter=} with microseconds
     */
    public static SystemCalls change(List<Long> pids, String calls, String change)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PROGRAM, "-f", "-q", "-o", "/dev/null", "-e", "trace=" + calls,
                "-e", "inject=" + calls + ":" + change));
        pids.forEach(pid -> command.addAll(List.of("-p", Long.toString(pid))));
        SystemCalls calling = new SystemCalls(new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
        long untilNs = System.nanoTime() + ATTACHED_WITHIN.toNanos();
        while (!isTraced(pids.getFirst()) && System.nanoTime() < untilNs) {
            Thread.sleep(10);
        }
        return calling;
    }

    private static boolean isTraced(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .anyMatch(line -> line.startsWith("TracerPid:") && !line.substring(10).strip().equals("0"));
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Duration.ofSeconds(10))) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
