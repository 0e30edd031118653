package io.queenmq.engine.numbers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The resource usage of this process, read from Linux; zero on other systems. Safe from any thread.
 *
 * @param userMicros CPU time of its threads in user mode
 * @param systemMicros CPU time of its threads in the kernel
 */
public record ProcessUse(long userMicros, long systemMicros, long residentBytes, long virtualBytes) {
    public static final ProcessUse UNKNOWN = new ProcessUse(0, 0, 0, 0);

    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path STATUS = Path.of("/proc/self/status");

    /** Linux reports these times in hundredths of a second, whatever its internal clock. */
    private static final long MICROS_PER_TICK = 10_000;

    public static ProcessUse now() {
        try {
            String stat = Files.readString(STAT);
            // The program name is in parentheses and may contain any character.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            List<String> status = Files.readAllLines(STATUS);
            return new ProcessUse(Long.parseLong(fields[11]) * MICROS_PER_TICK,
                    Long.parseLong(fields[12]) * MICROS_PER_TICK, kilobytes(status, "VmRSS:") * 1024,
                    kilobytes(status, "VmSize:") * 1024);
        } catch (IOException | RuntimeException _) {
            return UNKNOWN;
        }
    }

    private static long kilobytes(List<String> status, String name) {
        for (String line : status) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.substring(name.length()).strip().split(" ")[0]);
            }
        }
        return 0;
    }
}
