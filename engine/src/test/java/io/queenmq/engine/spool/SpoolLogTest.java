package io.queenmq.engine.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.push.SpooledPush;
import io.queenmq.engine.spool.MemoryFolder.Crash;
import io.queenmq.engine.spool.MemoryFolder.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The content of the log after crashes, errors and damage at every step. */
class SpoolLogTest {
    private static final long FILE_BYTES = 600;

    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void entriesAreReadUnchangedAndInOrder() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog log = open(folder);
        SpoolEntry whole = new SpoolEntry(UUID.randomUUID(), "qüeue", "p", UUID.randomUUID(), "t-1", 123_456, 123_789,
                42, "why", new byte[]{'{', (byte) 0xff, 'Q', 'S', 1, '}', '\n'});
        log.append(List.of(whole, entry("b")));
        log.append(List.of(entry("c")));
        log.close();

        List<SpoolEntry.Numbered> read = open(folder.afterCrash(random)).read(10, 1_000_000).entries();

        assertThat(read).extracting(each -> each.entry().transactionId()).containsExactly("t-1", "b", "c");
        assertThat(read.getFirst().entry()).usingRecursiveComparison().isEqualTo(whole);
        assertThat(read).extracting(SpoolEntry.Numbered::sequence).containsExactly(1L, 2L, 3L);
    }

    /**
     * The server or the machine crashes before, during or after every disk operation. Accepted entries are read
     * afterward, unless they were settled. A settled entry may be read again only if its mark was not written. The
     * order is preserved.
     */
    @Test
    void noAcceptedEntryIsLostByACrashAtAnyStep() throws IOException {
        int steps = Script.run(new MemoryFolder(), new Responses()).steps();
        assertThat(steps).isGreaterThan(40);
        for (Fault fault : List.of(Fault.CRASH_BEFORE, Fault.CRASH_WITHIN, Fault.CRASH_AFTER)) {
            for (int step = 0; step < steps; step++) {
                for (boolean isPowerLost : new boolean[]{false, true}) {
                    MemoryFolder folder = new MemoryFolder();
                    folder.failAt(fault, step);
                    Responses responses = new Responses();
                    assertThatThrownBy(() -> Script.run(folder, responses)).isInstanceOf(Crash.class);

                    MemoryFolder found = isPowerLost ? folder.afterCrash(random) : folder.afterKill();
                    List<String> left = drained(open(found));

                    String when = fault + " at step " + step + (isPowerLost ? ", power lost" : "");
                    assertThat(left).as(when).containsAll(responses.open());
                    assertThat(left).as(when).noneMatch(responses.settled::contains);
                    assertThat(left).as(when).doesNotHaveDuplicates().isSorted();
                    assertThat(drained(open(found.afterKill()))).as(when + ", once more").isEqualTo(left);
                }
            }
        }
    }

    /** A disk is full or fails, for one step or permanently: failed entries are reported, and all others are read. */
    @Test
    void anErrorFailsOnlyTheAffectedEntries() throws IOException {
        int steps = Script.run(new MemoryFolder(), new Responses()).steps();
        for (Fault fault : List.of(Fault.ERROR_BEFORE, Fault.ERROR_WITHIN)) {
            for (int step = 0; step < steps; step++) {
                for (int count : new int[]{1, 3, 1_000}) {
                    MemoryFolder folder = new MemoryFolder();
                    folder.failAt(fault, step, count);
                    Responses responses = new Responses();
                    Script.run(folder, responses);
                    folder.heal();

                    List<String> left = drained(open(folder.afterCrash(random)));

                    String when = fault + " at step " + step + " for " + count;
                    assertThat(left).as(when).containsAll(responses.open());
                    TreeSet<String> known = new TreeSet<>(responses.accepted);
                    known.addAll(responses.refused);
                    assertThat(known).as(when).containsAll(left);
                    assertThat(left).as(when).doesNotHaveDuplicates().isSorted();
                }
            }
        }
    }

    @Test
    void aDamagedByteLosesAtMostOneEntry() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog log = SpoolLog.open(folder, 1_000_000, _ -> {});
        log.append(entries("a", "b", "c", "d"));
        String name = folder.names().getFirst();
        byte[] whole = folder.content(name);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x5a;
            MemoryFolder found = new MemoryFolder();
            found.put(name, damaged);

            SpoolLog opened = open(found);
            List<String> left = drained(opened);

            assertThat(left).as("byte " + at).hasSize(3).isSubsetOf("a", "b", "c", "d").isSorted();
            boolean isLast = at >= whole.length / 4 * 3;
            assertThat(opened.damagedCount()).as("saved for inspection, byte " + at).isEqualTo(isLast ? 0 : 1);
        }
    }

    @Test
    void aTruncatedFileLosesOnlyIncompleteEntries() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog.open(folder, 1_000_000, _ -> {}).append(entries("a", "b", "c", "d"));
        String name = folder.names().getFirst();
        byte[] whole = folder.content(name);
        for (int length = 0; length <= whole.length; length++) {
            MemoryFolder found = new MemoryFolder();
            found.put(name, Arrays.copyOf(whole, length));
            SpoolLog opened = open(found);

            assertThat(drained(opened)).isEqualTo(List.of("a", "b", "c", "d").subList(0, length / (whole.length / 4)));
            assertThat(opened.damagedCount()).isZero();
            opened.append(List.of(entry("e")));
            assertThat(drained(open(found.afterCrash(random)))).endsWith("e");
        }
    }

    @Test
    void damageAtRunTimeIsReportedWhenItIsRead() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog log = open(folder);
        log.append(entries("a", "b", "c"));
        String name = folder.names().getFirst();
        byte[] damaged = folder.content(name).clone();
        damaged[damaged.length / 2] ^= 1;
        folder.put(name, damaged);

        SpoolLog.ReadResult result = log.read(10, 1_000_000);

        assertThat(result.entries()).extracting(each -> each.entry().transactionId()).containsExactly("a", "c");
        assertThat(result.lost()).isEqualTo(1);
        log.settle(new long[]{1, 3});
        assertThat(log.openCount()).isZero();
        assertThat(folder.names()).allMatch(each -> each.startsWith("damaged-"));
    }

    @Test
    void filesOfAnotherReleaseAreUnchanged() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog log = open(folder);
        log.append(List.of(entry("a")));
        String name = folder.names().getFirst();
        byte[] newer = folder.content(name).clone();
        newer[3] = 3;
        CRC32C checksum = new CRC32C();
        checksum.update(newer, 0, 8);
        ByteBuffer.wrap(newer).putInt(8, (int) checksum.getValue());
        folder.put(name, newer);

        assertThatThrownBy(() -> open(folder)).isInstanceOf(IOException.class).hasMessageContaining("another release");
        assertThat(folder.content(name)).isEqualTo(newer);
    }

    private static SpoolLog open(MemoryFolder folder) throws IOException {
        return SpoolLog.open(folder, FILE_BYTES, _ -> {});
    }

    private static List<String> drained(SpoolLog log) throws IOException {
        List<String> all = new ArrayList<>();
        for (SpoolLog.ReadResult next = log.read(2, 1_000_000); !next.entries().isEmpty();) {
            next.entries().forEach(each -> all.add(each.entry().transactionId()));
            next = log.read(2, 1_000_000);
        }
        return all;
    }

    private static List<SpoolEntry> entries(String... transactionIds) {
        return Arrays.stream(transactionIds).map(SpoolLogTest::entry).toList();
    }

    private static SpoolEntry entry(String transactionId) {
        return new SpoolEntry(null, "q", "p", new UUID(7, transactionId.hashCode()), transactionId, 1, 1,
                SpooledPush.NOT_ATTEMPTED, "",
                ("{\"data\":\"" + "x".repeat(40) + "\"}\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** The responses to clients. */
    private static final class Responses {
        private final List<String> accepted = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        /** Stored in PostgreSQL, and marked as settled. */
        private final List<String> settled = new ArrayList<>();
        /** Stored in PostgreSQL; the mark may be missing. */
        private final List<String> stored = new ArrayList<>();

        List<String> open() {
            return accepted.stream().filter(each -> !stored.contains(each)).toList();
        }
    }

    /** Uses a spool: appends batches while others are stored, in order and out of order, until it is empty. */
    private static final class Script {
        private final SpoolLog log;
        private final Responses responses;
        private final List<SpoolEntry.Numbered> read = new ArrayList<>();
        private int number = 100;

        private Script(SpoolLog log, Responses responses) {
            this.log = log;
            this.responses = responses;
        }

        static MemoryFolder run(MemoryFolder folder, Responses responses) throws IOException {
            Script script = new Script(open(folder), responses);
            script.append(1);
            script.append(4);
            script.read(3);
            script.settle(1, 2);
            script.append(6);
            script.read(20);
            script.settle(0);
            script.append(2);
            script.settle(3, 1);
            while (!script.read.isEmpty()) {
                script.settle(script.read.size() - 1);
            }
            script.read(20);
            script.append(1);
            script.read(20);
            while (!script.read.isEmpty()) {
                script.settle(0);
            }
            return folder;
        }

        private void append(int count) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add("m" + number++);
            }
            try {
                log.append(ids.stream().map(SpoolLogTest::entry).toList());
                responses.accepted.addAll(ids);
            } catch (IOException e) {
                responses.refused.addAll(ids);
            }
        }

        private void read(int count) throws IOException {
            read.addAll(log.read(count, 1_000_000).entries());
        }

        private void settle(int... positions) {
            List<SpoolEntry.Numbered> chosen = new ArrayList<>();
            for (int position : positions) {
                if (position < read.size()) {
                    chosen.add(read.get(position));
                }
            }
            chosen.forEach(each -> responses.stored.add(each.entry().transactionId()));
            read.removeAll(chosen);
            log.settle(chosen.stream().mapToLong(SpoolEntry.Numbered::sequence).sorted().toArray());
            chosen.forEach(each -> responses.settled.add(each.entry().transactionId()));
        }
    }
}
