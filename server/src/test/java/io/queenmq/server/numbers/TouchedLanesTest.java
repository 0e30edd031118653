package io.queenmq.server.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class TouchedLanesTest {
    private final TouchedLanes touched = new TouchedLanes();

    @Test
    void aLaneIsKnownOnceHoweverOftenItIsTouchedAndForgottenWhenItWasTaken() {
        UUID lane = UUID.randomUUID();
        touched.add("orders", lane);
        touched.add("orders", lane);

        assertThat(touched.take().queueByLane()).containsOnlyKeys(lane);
        assertThat(touched.isEmpty()).isTrue();
    }

    @Test
    void ofTooManyOnlyTheQueueIsKnown() {
        UUID known = UUID.randomUUID();
        touched.add("orders", known);
        fill();

        touched.add("orders", known);
        assertThat(touched.take().queues()).isEmpty();

        fill();
        touched.add("orders", UUID.randomUUID());
        TouchedLanes.Batch taken = touched.take();
        assertThat(taken.queues()).containsExactly("orders");
        assertThat(taken.queueByLane()).hasSize(TouchedLanes.LANES_MAX);
    }

    @Test
    void whatCouldNotBeWrittenDownIsKnownTogetherWithWhatCameMeanwhileAndIsNotMore() {
        UUID lane = UUID.randomUUID();
        touched.add("orders", lane);
        TouchedLanes.Batch lost = touched.take();
        UUID later = UUID.randomUUID();
        touched.add("invoices", later);
        touched.putBack(lost);
        assertThat(touched.take().queueByLane()).containsOnlyKeys(lane, later);

        fill();
        touched.putBack(lost);
        TouchedLanes.Batch taken = touched.take();
        assertThat(taken.queueByLane()).hasSize(TouchedLanes.LANES_MAX).doesNotContainKey(lane);
        assertThat(taken.queues()).containsExactly("orders");
    }

    private void fill() {
        TouchedLanes.Batch full = touched.take();
        while (full.queueByLane().size() < TouchedLanes.LANES_MAX) {
            full.queueByLane().put(UUID.randomUUID(), "others");
        }
        touched.putBack(full);
    }
}
