package io.queenmq.engine.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.push.SpooledPush;
import io.queenmq.engine.spool.MemoryFolder.Crash;
import io.queenmq.engine.spool.MemoryFolder.Trouble;
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

/** What is in the log after crashes, errors and damage, at every step there is. */
class SpoolLogTest {
    private static final long FILE_BYTES = 600;

    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void entriesComeBackAsTheyWereAndInOrder() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog log = open(folder);
        SpoolEntry whole = new SpoolEntry(UUID.randomUUID(), "qüeue", "p", UUID.randomUUID(), "t-1", 123_456, 123_789,
                42, "why",
                new byte[]{'{', (byte) 0xff, 'Q', 'S', 1, '}', '\n'});
        log.append(List.of(whole, entry("b")));
        log.append(List.of(entry("c")));
        log.close();

        List<SpoolEntry.Numbered> read = open(folder.afterCrash(random)).read(10, 1_000_000).entries();

        assertThat(read).extracting(each -> each.entry().transactionId()).containsExactly("t-1", "b", "c");
        assertThat(read.getFirst().entry()).usingRecursiveComparison().isEqualTo(whole);
        assertThat(read).extracting(SpoolEntry.Numbered::sequence).containsExactly(1L, 2L, 3L);
    }

    /**
     * The server or the machine dies before, within or after every single step that touches the disk. What was accepted is
     * there afterwards, unless it was settled; what was settled and told so may only come back if it was not yet written
     * down; nothing comes out of order.
     */
    @Test
    void nothingAcceptedIsLostWhateverStepTheServerDiesAt() throws IOException {
        int steps = Script.run(new MemoryFolder(), new Told()).steps();
        assertThat(steps).isGreaterThan(40);
        for (Trouble trouble : List.of(Trouble.CRASH_BEFORE, Trouble.CRASH_WITHIN, Trouble.CRASH_AFTER)) {
            for (int step = 0; step < steps; step++) {
                for (boolean isPowerLost : new boolean[]{false, true}) {
                    MemoryFolder folder = new MemoryFolder();
                    folder.trouble(trouble, step);
                    Told told = new Told();
                    assertThatThrownBy(() -> Script.run(folder, told)).isInstanceOf(Crash.class);

                    MemoryFolder found = isPowerLost ? folder.afterCrash(random) : folder.afterKill();
                    List<String> left = drained(open(found));

                    String when = trouble + " at step " + step + (isPowerLost ? ", power lost" : "");
                    assertThat(left).as(when).containsAll(told.open());
                    assertThat(left).as(when).noneMatch(told.settled::contains);
                    assertThat(left).as(when).doesNotHaveDuplicates().isSorted();
                    assertThat(drained(open(found.afterKill()))).as(when + ", once more").isEqualTo(left);
                }
            }
        }
    }

    /** A disk that is full or fails for one step or for all from then on: what is refused is told, the rest is there. */
    @Test
    void anErrorRefusesWhatItConcernsAndNothingElse() throws IOException {
        int steps = Script.run(new MemoryFolder(), new Told()).steps();
        for (Trouble trouble : List.of(Trouble.ERROR_BEFORE, Trouble.ERROR_WITHIN)) {
            for (int step = 0; step < steps; step++) {
                for (int count : new int[]{1, 3, 1_000}) {
                    MemoryFolder folder = new MemoryFolder();
                    folder.trouble(trouble, step, count);
                    Told told = new Told();
                    Script.run(folder, told);
                    folder.heal();

                    List<String> left = drained(open(folder.afterCrash(random)));

                    String when = trouble + " at step " + step + " for " + count;
                    assertThat(left).as(when).containsAll(told.open());
                    TreeSet<String> known = new TreeSet<>(told.accepted);
                    known.addAll(told.refused);
                    assertThat(known).as(when).containsAll(left);
                    assertThat(left).as(when).doesNotHaveDuplicates().isSorted();
                }
            }
        }
    }

    @Test
    void aDamagedByteAnywhereCostsOneEntryAtTheMost() throws IOException {
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
            assertThat(opened.damagedCount()).as("kept for people to look at, byte " + at).isEqualTo(isLast ? 0 : 1);
        }
    }

    @Test
    void aFileThatEndsAnywhereLosesOnlyWhatIsNotWhole() throws IOException {
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
    void damageThatComesWhileTheServerRunsIsToldWhenItIsRead() throws IOException {
        MemoryFolder folder = new MemoryFolder();
        SpoolLog log = open(folder);
        log.append(entries("a", "b", "c"));
        String name = folder.names().getFirst();
        byte[] damaged = folder.content(name).clone();
        damaged[damaged.length / 2] ^= 1;
        folder.put(name, damaged);

        SpoolLog.Portion portion = log.read(10, 1_000_000);

        assertThat(portion.entries()).extracting(each -> each.entry().transactionId()).containsExactly("a", "c");
        assertThat(portion.lost()).isEqualTo(1);
        log.settle(new long[]{1, 3});
        assertThat(log.openCount()).isZero();
        assertThat(folder.names()).allMatch(each -> each.startsWith("damaged-"));
    }

    @Test
    void filesOfAnotherReleaseAreLeftAlone() throws IOException {
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
        for (SpoolLog.Portion next = log.read(2, 1_000_000); !next.entries().isEmpty();) {
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

    /** What clients were told. */
    private static final class Told {
        private final List<String> accepted = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        /** Stored in PostgreSQL, and written down so. */
        private final List<String> settled = new ArrayList<>();
        /** Stored in PostgreSQL; whether it is written down is not known. */
        private final List<String> stored = new ArrayList<>();

        List<String> open() {
            return accepted.stream().filter(each -> !stored.contains(each)).toList();
        }
    }

    /** A spool in use: batches come while others are stored, in order and not, until nothing is left. */
    private static final class Script {
        private final SpoolLog log;
        private final Told told;
        private final List<SpoolEntry.Numbered> read = new ArrayList<>();
        private int number = 100;

        private Script(SpoolLog log, Told told) {
            this.log = log;
            this.told = told;
        }

        static MemoryFolder run(MemoryFolder folder, Told told) throws IOException {
            Script script = new Script(open(folder), told);
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
                told.accepted.addAll(ids);
            } catch (IOException e) {
                told.refused.addAll(ids);
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
            chosen.forEach(each -> told.stored.add(each.entry().transactionId()));
            read.removeAll(chosen);
            log.settle(chosen.stream().mapToLong(SpoolEntry.Numbered::sequence).sorted().toArray());
            chosen.forEach(each -> told.settled.add(each.entry().transactionId()));
        }
    }
}
