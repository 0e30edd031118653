package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.pop.GroupPartition.State;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReadyQueueTest {
    private final Set<Integer> away = new HashSet<>();
    private final ReadyQueue line = new ReadyQueue(3, shard -> !away.contains(shard));

    @Test
    void partitionsTakeTurnsWhateverTheirShard() {
        GroupPartition first = ready("first", 2);
        GroupPartition second = ready("second", 0);
        ready("third", 2);

        assertThat(line.nextShard(0)).isEqualTo(2);
        assertThat(line.poll(2)).isSameAs(first);
        assertThat(line.nextShard(0)).isZero();
        assertThat(line.poll(0)).isSameAs(second);
        assertThat(line.nextShard(0)).isEqualTo(2);
    }

    @Test
    void thoseOfOtherShardsKeepTheirTurn() {
        ready("first", 0);
        GroupPartition second = ready("second", 1);
        ready("third", 0);
        line.poll(0);
        line.poll(0);

        assertThat(line.nextShard(0)).isEqualTo(1);
        assertThat(line.poll(1)).isSameAs(second);
        assertThat(line.hasNext()).isFalse();
        assertThat(line.nextShard(0)).isEqualTo(ReadyQueue.NONE);
    }

    @Test
    void whoOnlyDidNotGetItsTurnIsFirstAgain() {
        GroupPartition first = ready("first", 0);
        ready("second", 1);
        line.poll(0);
        ready("third", 2);
        line.addFirst(first);

        assertThat(line.nextShard(0)).isZero();
        assertThat(line.poll(0)).isSameAs(first);
        assertThat(line.nextShard(0)).isEqualTo(1);
    }

    @Test
    void partitionsOfAShardThatIsAwayStandAside() {
        ready("first", 0);
        away.add(0);
        assertThat(line.hasNext()).isFalse();
        ready("second", 1);
        assertThat(line.nextShard(0)).isEqualTo(1);

        away.clear();
        assertThat(line.nextShard(0)).as("it has kept its turn").isZero();
        assertThat(line.nextShard(1)).as("one that is passed over").isEqualTo(1);
        assertThat(line.size()).isEqualTo(2);
    }

    @Test
    void partitionsLeaveTheLineFromAnyPosition() {
        GroupPartition first = ready("first", 0);
        GroupPartition second = ready("second", 0);
        GroupPartition third = ready("third", 0);
        GroupPartition fourth = ready("fourth", 0);

        line.remove(second);
        assertThat(line.of(0)).containsExactly(first, third, fourth);
        line.remove(fourth);
        assertThat(line.of(0)).containsExactly(first, third);
        line.remove(first);
        line.addLast(first);
        assertThat(line.of(0)).containsExactly(third, first);
        assertThat(line.poll(0)).isSameAs(third);
        assertThat(line.poll(0)).isSameAs(first);
        assertThat(line.size()).isZero();
        assertThat(line.hasNext()).isFalse();
    }

    private GroupPartition ready(String name, int shard) {
        GroupPartition partition = new GroupPartition(null, name, UUID.randomUUID(), shard);
        partition.become(State.READY);
        line.addLast(partition);
        return partition;
    }
}
