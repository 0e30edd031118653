package io.queenmq.engine.ack;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.ack.AckRoutines.LoadedLease;
import io.queenmq.engine.partition.HashIndex;
import io.queenmq.engine.partition.OffsetSet;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The offset of an ack whose lease is not in the memory of this server. */
class LoadedLeaseTest {
    private static final long A = 100;
    private static final long B = 200;
    private static final long FIRST = 10;

    private final Set<Long> named = new HashSet<>();

    @Test
    void aMessageOfTheLeaseIsFound() {
        assertThat(find(held(10, 12, A, B), B)).isEqualTo(11);
    }

    @Test
    void aMessageBehindTheLeaseIsNotFound() {
        assertThat(find(held(10, 11, A, B), B)).isEqualTo(-1);
    }

    @Test
    void anUnknownTransactionIdIsNotFound() {
        assertThat(find(held(10, 12, A, B), 300)).isEqualTo(-1);
    }

    @Test
    void aFinishedMessageIsFoundSoThatARepeatedAckIsAccepted() {
        assertThat(find(held(11, 12, A, B), A)).isEqualTo(10);
    }

    @Test
    void anUnfinishedMessagePrecedesAFinishedOneWithTheSameTransactionId() {
        assertThat(find(held(11, 12, A, A), A)).isEqualTo(11);
    }

    @Test
    void acksOfARequestWithOneTransactionIdFindOneMessageEach() {
        LoadedLease held = held(10, 13, A, A, B);

        assertThat(find(held, A)).isEqualTo(10);
        assertThat(find(held, A)).isEqualTo(11);
        assertThat(find(held, A)).as("more acks than messages").isEqualTo(11);
    }

    @Test
    void aMessageFinishedOutOfOrderIsFinished() {
        LoadedLease held = new LoadedLease("q", "a", new UUID(0, 1), 13, new Finished(10, OffsetSet.of(new long[]{11})),
                FIRST, new long[]{A, B, B});

        assertThat(find(held, B)).as("the unfinished one").isEqualTo(12);
    }

    /** Returns the position of a group whose cursor is at committed and whose lease ends before leaseEnd. */
    private static LoadedLease held(long committed, long leaseEnd, long... hashes) {
        return new LoadedLease("q", "a", new UUID(0, 1), leaseEnd, new Finished(committed, OffsetSet.NONE), FIRST,
                hashes);
    }

    private long find(LoadedLease held, long hash) {
        return held.find(hash, new HashIndex(held.hashes()), named);
    }
}
