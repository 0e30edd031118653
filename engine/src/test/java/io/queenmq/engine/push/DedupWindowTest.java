package io.queenmq.engine.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DedupWindowTest {
    private static final long SECOND = 1_000_000;

    @Test
    void findsExactlyTheHashesInTheWindow() {
        Seeds.each("dedup", 200, DedupWindowTest::findsExactlyTheHashesInTheWindow);
    }

    private static void findsExactlyTheHashesInTheWindow(long seed) {
        var random = new SplittableRandom(seed);
        DedupWindow window = new DedupWindow();
        window.startAt(random.nextInt(1000));
        long first = window.known();
        List<Long> hashes = new ArrayList<>();
        int keep = 1 + random.nextInt(60);
        for (int round = 0; round < 30; round++) {
            long[] batch = random.longs(random.nextInt(20)).toArray();
            // Hashes that share their low bits collide in an open-addressed table.
            for (int i = 0; i < batch.length; i++) {
                batch[i] = random.nextBoolean() ? batch[i] : batch[i] << 40;
            }
            window.append(batch, 0, batch.length, round);
            for (long hash : batch) {
                hashes.add(hash);
            }
            window.trim(keep, Long.MIN_VALUE);
        }

        assertThat(window.known()).isEqualTo(first + hashes.size());
        for (int i = 0; i < hashes.size(); i++) {
            int newest = hashes.lastIndexOf(hashes.get(i));
            boolean isKept = newest >= hashes.size() - keep;
            assertThat(window.find(hashes.get(i))).as("offset of hash %s", i).isEqualTo(isKept ? first + newest : -1);
        }
    }

    @Test
    void aNewWindowIsUnknown() {
        DedupWindow window = new DedupWindow();

        assertThat(window.isKnown()).isFalse();
        assertThat(window.known()).isEqualTo(-1);
        assertThat(window.find(42)).isEqualTo(-1);
    }

    @Test
    void trimRemovesHashesThatAreTooOld() {
        DedupWindow window = new DedupWindow();
        window.startAt(0);
        window.append(new long[]{1}, 0, 1, 10 * SECOND);
        window.append(new long[]{2}, 0, 1, 20 * SECOND);
        window.append(new long[]{3}, 0, 1, 30 * SECOND);

        window.trim(100, 25 * SECOND);

        assertThat(window.find(1)).isEqualTo(-1);
        assertThat(window.find(3)).isEqualTo(2);
        window.trim(100, 60 * SECOND);
        assertThat(window.find(3)).isEqualTo(-1);
        assertThat(window.known()).isEqualTo(3);
    }

    @Test
    void clearAllRemovesEveryHash() {
        DedupWindow window = new DedupWindow();
        window.startAt(7);
        window.append(new long[]{1, 2}, 0, 2, SECOND);

        window.clearAll();

        assertThat(window.isKnown()).isFalse();
        assertThat(window.find(1)).isEqualTo(-1);
        window.startAt(9);
        window.append(new long[]{2}, 0, 1, SECOND);
        assertThat(window.find(2)).isEqualTo(9);
    }

    @Test
    void startAtBeginsANewWindow() {
        DedupWindow window = new DedupWindow();
        window.startAt(0);
        window.append(new long[]{7, 8}, 0, 2, 0);

        window.startAt(2);
        assertThat(window.find(8)).isEqualTo(1);

        window.startAt(100);
        assertThat(window.find(8)).isEqualTo(-1);
        assertThat(window.known()).isEqualTo(100);
    }
}
