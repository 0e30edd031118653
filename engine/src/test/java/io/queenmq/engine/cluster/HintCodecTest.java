package io.queenmq.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.CatalogChange;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Heartbeat;
import io.queenmq.engine.cluster.Hint.HeartbeatReply;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.IntroductionRequest;
import io.queenmq.engine.cluster.Hint.PartitionEvents;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HintCodecTest {
    private static final UUID ID = UUID.fromString("22222222-2222-4222-8222-222222222222");
    private static final List<Hint> HINTS = List.of(
            new Introduction(7, "host:worker", "1.0", 1_700_000_000_000L, false, Set.of("orders", "größe", "🐝"), true),
            new Introduction(1, "", "", 0, true, Set.of(), false), new IntroductionRequest(), new Heartbeat(3, -5),
            new HeartbeatReply(9),
            new PartitionEvents(List.of(
                    new PushedQueue("orders", ID, List.of(new PartitionHead("a", 1), new PartitionHead("", 77))),
                    new PushedQueue("other", ID, List.of())), List.of(new FreePartition(ID, "billing"))),
            new PartitionEvents(List.of(), List.of()), new Arrival("orders", "a"), new Arrival("orders", null),
            new CatalogChange());

    @Test
    void everyHintIsDecodedToAnEqualOne() throws Exception {
        for (Hint hint : HINTS) {
            assertThat(HintCodec.decode(HintCodec.encode(hint))).isEqualTo(hint);
        }
    }

    @Test
    void hintsOfAnotherVersionAreNotDecoded() {
        byte[] bytes = HintCodec.encode(HINTS.getFirst());
        bytes[0]++;

        assertThatThrownBy(() -> HintCodec.decode(bytes)).isInstanceOfSatisfying(UnreadableHint.class,
                e -> assertThat(e.isOfOtherVersion()).isTrue());
    }

    @Test
    void aTruncatedHintIsMalformed() {
        for (Hint hint : HINTS) {
            byte[] bytes = HintCodec.encode(hint);
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> HintCodec.decode(cut)).isInstanceOf(UnreadableHint.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> HintCodec.decode(longer)).isInstanceOf(UnreadableHint.class);
        }
    }

    @Test
    void anyBytesAreDecodedOrRejected() {
        Random random = new Random(1);
        List<byte[]> tries = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = HintCodec.encode(HINTS.get(random.nextInt(HINTS.size())));
            for (int n = random.nextInt(4); n >= 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            tries.add(bytes);
        }
        int refused = 0;
        for (byte[] bytes : tries) {
            try {
                assertThat(HintCodec.decode(bytes)).isNotNull();
            } catch (UnreadableHint _) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(5_000);
    }

    /** Memory for a count must not be allocated before the bytes are available. */
    @Test
    void countsThatAreTooLargeAllocateNoMemory() {
        byte[] bytes = HintCodec.encode(new PartitionEvents(List.of(), List.of()));
        bytes[2] = 0x7f;

        assertThatThrownBy(() -> HintCodec.decode(bytes)).isInstanceOf(UnreadableHint.class)
                .hasMessageContaining("count 2130706432");
    }
}
