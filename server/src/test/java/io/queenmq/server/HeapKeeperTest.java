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
        assertThat(oldGenerationMib("kept")).isLessThan(200);
    }

    @Test
    void withoutItTheHeapFillsUp() throws Exception {
        assertThat(oldGenerationMib("left alone")).isGreaterThan(300);
    }

    @Test
    void lessGarbageIsCollectedOnceThereIsNothingElseToDo() throws Exception {
        assertThat(oldGenerationMib("kept, then quiet")).isLessThan(48);
    }

    private static long oldGenerationMib(String how) throws Exception {
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

    /** Makes garbage that lives just long enough to grow old, and says in MiB how large the old generation became. */
    static final class Garbage {
        private static final long UNTIL_NS = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        private static final MemoryPoolMXBean OLD = ManagementFactory.getMemoryPoolMXBeans()
                .stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst()
                .orElseThrow();

        public static void main(String[] how) throws InterruptedException {
            if (how[0].startsWith("kept")) {
                HeapKeeper.install();
            }
            if (how[0].endsWith("quiet")) {
                // Not enough to be collected while there is something to do.
                make(110);
                while (isAtLeast(48)) {
                    Thread.sleep(10);
                }
                System.out.println(OLD.getUsage().getUsed() / MIB);
            } else {
                make(2048);
                System.out.println(OLD.getPeakUsage().getUsed() / MIB);
            }
        }

        private static void make(int mib) {
            byte[][] alive = new byte[40][];
            for (int i = 0; i < mib; i++) {
                alive[i % alive.length] = new byte[MIB];
                // What is asked for takes the JVM as long as it takes; only how much garbage there is by then counts.
                while (isAtLeast(150)) {
                    Thread.onSpinWait();
                }
            }
        }

        private static boolean isAtLeast(int mib) {
            return OLD.getUsageThreshold() > 0 && OLD.getUsage().getUsed() >= mib * (long) MIB
                    && System.nanoTime() < UNTIL_NS;
        }
    }
}
