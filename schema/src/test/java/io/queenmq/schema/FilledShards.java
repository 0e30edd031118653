package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.List;

/** Lanes in each of three shards, and how they stand. */
record FilledShards(SchemaDatabase database) {
    static final String GROUP = "workers";
    static final int COUNT = 3;

    /** One in each shard, with three messages and a cursor at their start. */
    List<Lane> lanes() {
        var lanes = database.newLaneInEachShard();
        lanes.forEach(lane -> {
            database.api().push(new Append(lane, 0, Batch.ofSize(3)));
            database.api().openCursors(new Opening(lane.id(), GROUP, null));
        });
        return lanes;
    }

    List<Wish> leased(List<Lane> lanes) {
        var wishes = lanes.stream().map(lane -> Wish.of(lane, GROUP, 3)).toList();
        assertThat(database.api().lease(wishes.toArray(Wish[]::new))).allMatch(Given::isLeased);
        return wishes;
    }

    /** Of each lane: head, where the group stands, and dead letters. */
    List<String> standing(List<Lane> lanes) {
        return lanes.stream().map(lane -> strings("select p.head || ' ' || c.committed || ' ' || (select count(*)"
                + " from queen.dead_letter d where d.partition_id = p.id) from queen.partition p join queen.cursor c"
                + " on c.partition_id = p.id and c.group_name = 'workers' where p.id = ?", lane.id()).getFirst())
                .toList();
    }

    long head(Lane lane) {
        return Rows.number(database.api().connection(), "select head from queen.partition where id = ?", lane.id());
    }

    List<String> strings(String sql, Object... values) {
        return Rows.strings(database.api().connection(), sql, values);
    }
}
