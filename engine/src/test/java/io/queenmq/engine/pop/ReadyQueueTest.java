package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.pop.GroupPartition.State;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReadyQueueTest {
    private final Set<Integer> unreachable = new HashSet<>();
    private final ReadyQueue queue = new ReadyQueue(3, shard -> !unreachable.contains(shard));

    @Test
    void partitionsOfAllShardsTakeTurns() {
        GroupPartition first = ready("first", 2);
        GroupPartition second = ready("second", 0);
        ready("third", 2);

        assertThat(queue.nextShard(0)).isEqualTo(2);
        assertThat(queue.poll(2)).isSameAs(first);
        assertThat(queue.nextShard(0)).isZero();
        assertThat(queue.poll(0)).isSameAs(second);
        assertThat(queue.nextShard(0)).isEqualTo(2);
    }

    @Test
    void partitionsOfOtherShardsKeepTheirPosition() {
        ready("first", 0);
        GroupPartition second = ready("second", 1);
        ready("third", 0);
        queue.poll(0);
        queue.poll(0);

        assertThat(queue.nextShard(0)).isEqualTo(1);
        assertThat(queue.poll(1)).isSameAs(second);
        assertThat(queue.hasNext()).isFalse();
        assertThat(queue.nextShard(0)).isEqualTo(ReadyQueue.NONE);
    }

    @Test
    void aSparedPartitionReturnsToTheFront() {
        GroupPartition first = ready("first", 0);
        ready("second", 1);
        queue.poll(0);
        ready("third", 2);
        queue.addFirst(first);

        assertThat(queue.nextShard(0)).isZero();
        assertThat(queue.poll(0)).isSameAs(first);
        assertThat(queue.nextShard(0)).isEqualTo(1);
    }

    @Test
    void partitionsOfAnUnreachableShardAreSkipped() {
        ready("first", 0);
        unreachable.add(0);
        assertThat(queue.hasNext()).isFalse();
        ready("second", 1);
        assertThat(queue.nextShard(0)).isEqualTo(1);

        unreachable.clear();
        assertThat(queue.nextShard(0)).as("the partition kept its position").isZero();
        assertThat(queue.nextShard(1)).as("the first shard is skipped").isEqualTo(1);
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void partitionsAreRemovedFromAnyPosition() {
        GroupPartition first = ready("first", 0);
        GroupPartition second = ready("second", 0);
        GroupPartition third = ready("third", 0);
        GroupPartition fourth = ready("fourth", 0);

        queue.remove(second);
        assertThat(queue.of(0)).containsExactly(first, third, fourth);
        queue.remove(fourth);
        assertThat(queue.of(0)).containsExactly(first, third);
        queue.remove(first);
        queue.addLast(first);
        assertThat(queue.of(0)).containsExactly(third, first);
        assertThat(queue.poll(0)).isSameAs(third);
        assertThat(queue.poll(0)).isSameAs(first);
        assertThat(queue.size()).isZero();
        assertThat(queue.hasNext()).isFalse();
    }

    private GroupPartition ready(String name, int shard) {
        GroupPartition partition = new GroupPartition(null, name, UUID.randomUUID(), shard);
        partition.become(State.READY);
        queue.addLast(partition);
        return partition;
    }
}
