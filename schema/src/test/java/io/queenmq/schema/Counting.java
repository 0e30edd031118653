package io.queenmq.schema;

import java.util.UUID;
import java.util.stream.Stream;

/** Lanes that were touched are written down, and counted in every shard. */
record Counting(Api api) {
    /** A server's call changed something in the lane. */
    void touch(UUID lane) {
        api.enterFor(Stream.of(lane));
        Rows.execute(api.connection(), "select " + api.schema() + ".touch_lanes(array['" + lane + "']::uuid[], '{}')");
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
