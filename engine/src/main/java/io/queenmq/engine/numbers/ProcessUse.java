package io.queenmq.engine.numbers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What this process has used of its machine, as Linux tells it; all zero on other systems. Safe from any thread.
 *
 * @param userMicros time its threads spent in their own code
 * @param systemMicros time the kernel spent for them
 */
public record ProcessUse(long userMicros, long systemMicros, long residentBytes, long virtualBytes) {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final ProcessUse UNKNOWN = new ProcessUse(0, 0, 0, 0);

    /** Linux counts in hundredths of a second wherever it shows such times, whatever it counts in inside. */
    private static final long MICROS_PER_TICK = 10_000;

    public static ProcessUse now() {
        try {
            String stat = Files.readString(STAT);
            // The name of the program stands in parentheses and may contain anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            List<String> status = Files.readAllLines(STATUS);
            return new ProcessUse(Long.parseLong(fields[11]) * MICROS_PER_TICK,
                    Long.parseLong(fields[12]) * MICROS_PER_TICK,
                    kilobytes(status, "VmRSS:") * 1024, kilobytes(status, "VmSize:") * 1024);
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
