package io.queenmq.schema;

import java.util.UUID;
import java.util.stream.Stream;

/** Partitions that were touched are written down, and counted in every shard. */
record Counting(Api api) {
    /** A server's call changed something in the partition. */
    void touch(UUID partition) {
        api.enterFor(Stream.of(partition));
        Rows.execute(api.connection(),
                "select " + api.schema() + ".touch_partitions(array['" + partition + "']::uuid[], '{}')");
    }

    /** One turn in each shard; the one that is furthest from being done speaks for all. */
    String turn() {
        var answers = api.everyShard(rows -> rows.getString(1), "select " + api.schema() + ".count_touched(0)");
        return Stream.of("busy", "more", "done").filter(answers::contains).findFirst().orElseThrow();
    }

    /** Everything that was written down. */
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
