package io.queenmq.verify.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks a history of 200,000 messages with a heap that is smaller than the history. A run of an hour has about a million messages. */
class CheckerMemoryTest {
    private static final int MESSAGES = 200_000;
    private static final int BATCH = 50;
    private static final int PARTITIONS = 100;
    private static final int HEAP_MEGABYTES = 48;

    @TempDir
    private Path folder;

    @Test
    void theMemoryOfTheCheckerIsFarSmallerThanTheHistory() throws Exception {
        Path history = folder.resolve("history.jsonl");
        write(history);
        assertThat(Files.size(history)).isGreaterThan(HEAP_MEGABYTES * 1_500_000L);

        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), CheckerMemoryTest.class.getName(), history.toString())
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).endsWith("violations: {}\n");
    }

    /** Checks a history in a process of its own. */
    public static void main(String[] args) {
        System.out.print("violations: " + Checker.check(Path.of(args[0]), _ -> {}).counts() + "\n");
    }

    private static void write(Path history) throws IOException {
        try (BufferedWriter file = Files.newBufferedWriter(history)) {
            file.write("""
                    {"n":1,"op":"queue","queue":"q","audited":true,"options":{"retryLimit":3}}
                    {"n":2,"op":"group","queue":"q","group":"a","complete":true}
                    {"n":3,"op":"group","queue":"q","group":"b","complete":true}
                    """);
            int n = 4;
            int[] heads = new int[PARTITIONS];
            for (int m = 0; m < MESSAGES; m += BATCH) {
                int partition = m / BATCH % PARTITIONS;
                int base = heads[partition];
                heads[partition] += BATCH;
                long at = m * 3_000L;
                line(file, n++, "push", at,
                        "\"items\":[" + items(m, "{\"m\":%d,\"partition\":\"p" + partition + "\"}") + "],\"results\":["
                                + items(base,
                                        "{\"status\":\"queued\",\"partitionId\":\"P" + partition + "\",\"offset\":%d}")
                                + "]");
                for (String group : new String[]{"a", "b", Ledger.AUDIT}) {
                    String lease = "L" + n;
                    line(file, n++, "pop", at + 20,
                            "\"group\":\"" + group + "\",\"lease\":\"" + lease + "\",\"leaseSeconds\":9,\"messages\":["
                                    + delivered(m, base, partition) + "]"
                                    + (group.equals(Ledger.AUDIT) ? ",\"autoAck\":true" : ""));
                    if (!group.equals(Ledger.AUDIT)) {
                        line(file, n++, "ack", at + 40,
                                "\"group\":\"" + group + "\",\"lease\":\"" + lease + "\",\"acks\":["
                                        + items(base,
                                                "{\"partitionId\":\"P" + partition
                                                        + "\",\"offset\":%d,\"status\":\"completed\"}")
                                        + "],\"results\":[" + items(base, "{\"success\":true}") + "]");
                    }
                }
            }
            line(file, n++, "drain", MESSAGES * 3_000L, "\"complete\":true");
            line(file, n, "audit", MESSAGES * 3_000L, "\"complete\":true");
        }
    }

    private static void line(BufferedWriter file, int n, String op, long at, String rest) throws IOException {
        file.write("{\"n\":" + n + ",\"process\":\"p\",\"op\":\"" + op + "\",\"start\":" + at + ",\"end\":" + (at + 10)
                + ",\"outcome\":\"ok\",\"queue\":\"q\"," + rest + "}\n");
    }

    private static String items(int first, String format) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BATCH; i++) {
            text.append(i == 0 ? "" : ",").append(format.replace("%d", Integer.toString(first + i)));
        }
        return text.toString();
    }

    private static String delivered(int m, int base, int partition) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BATCH; i++) {
            text.append(i == 0 ? "" : ",").append("{\"m\":").append(m + i).append(",\"partition\":\"p")
                    .append(partition).append("\",\"partitionId\":\"P").append(partition).append("\",\"offset\":")
                    .append(base + i).append(",\"attempt\":1,\"created\":1}");
        }
        return text.toString();
    }
}
