package io.queenmq.schema;

import java.util.UUID;
import java.util.stream.Stream;

/** Touched partitions are recorded, and counted in every shard. */
record Counting(Api api) {
    /** Records a change of the partition by the call of a server. */
    void touch(UUID partition) {
        api.selectShardOf(Stream.of(partition));
        Rows.execute(api.connection(),
                "select " + api.schema() + ".touch_partitions(array['" + partition + "']::uuid[], '{}')");
    }

    /** Counts one turn in each shard; returns the least complete result. */
    String turn() {
        var answers = api.everyShard(rows -> rows.getString(1), "select " + api.schema() + ".count_touched(0)");
        return Stream.of("busy", "more", "done").filter(answers::contains).findFirst().orElseThrow();
    }

    /** Counts everything that was recorded. */
    void count() {
        var answer = "more";
        for (int turns = 0; turns < 10 && answer.equals("more"); turns++) {
            answer = turn();
        }
        if (!answer.equals("done")) {
            throw new AssertionError("counting: " + answer);
        }
    }
}
