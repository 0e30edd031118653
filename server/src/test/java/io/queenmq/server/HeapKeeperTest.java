package io.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeapKeeperTest {
    private static final int MIB = 1024 * 1024;

    @Test
    void garbageThatGrewOldIsCollectedLongBeforeTheHeapIsFull() throws Exception {
        assertThat(peakOfOldGenerationMib("kept")).isLessThan(200);
    }

    @Test
    void withoutItTheHeapFillsUp() throws Exception {
        assertThat(peakOfOldGenerationMib("left alone")).isGreaterThan(300);
    }

    private static long peakOfOldGenerationMib(String how) throws Exception {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xms96m",
                "-Xmx512m", "-Xmn64m", "-cp", System.getProperty("java.class.path"), Garbage.class.getName(), how)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return Long.parseLong(said.strip());
    }

    /** Makes two gigabytes of garbage that lives just long enough to grow old. */
    static final class Garbage {
        public static void main(String[] how) {
            MemoryPoolMXBean old = ManagementFactory.getMemoryPoolMXBeans()
                    .stream()
                    .filter(pool -> pool.getName().equals("Tenured Gen"))
                    .findFirst()
                    .orElseThrow();
            if (how[0].equals("kept")) {
                HeapKeeper.install();
            }
            byte[][] alive = new byte[40][];
            for (int i = 0; i < 2048; i++) {
                alive[i % alive.length] = new byte[MIB];
                // What it asks for takes the JVM as long as it takes; only how much garbage there is by then counts.
                while (old.isUsageThresholdExceeded()) {
                    Thread.onSpinWait();
                }
            }
            System.out.println(old.getPeakUsage().getUsed() / MIB);
        }
    }
}
