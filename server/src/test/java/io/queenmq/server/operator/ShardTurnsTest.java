package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardTurnsTest {
    private final ShardTurns turns = new ShardTurns(List.of("0", "1", "2", "3"));
    private final Map<String, ShardTurns.Turn> begun = new HashMap<>();
    private final List<String> order = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();

    /**
     * The events of four shards: R begins a round, +1 ends the turn of shard 1 well, -1 badly. Then follow the turns in the order
     * in which they began, and the numbers of the rounds that ended.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            two shards at a time                            | R                                | 0 1                 | none
            the next one begins when one ends               | R +1                             | 0 1 2               | none
            a round ends with its last turn                 | R +0 +1 +2                       | 0 1 2 3             | none
            a round ends when all turns have ended          | R +0 +1 +2 +3                    | 0 1 2 3             | 1
            a failed turn ends, too                         | R -0 -1 -2 -3                    | 0 1 2 3             | 1
            a shard that failed runs last                   | R +0 -1 +2 +3 R +0 +2            | 0 1 2 3 0 2 3 1     | 1
            a shard that recovered runs in its place        | R -0 +1 +2 +3 R +1 +2 +3 +0 R    | 0 1 2 3 1 2 3 0 0 1 | 1 2
            shards that failed do not run at the same time  | R -0 -1 +2 +3 R +2 +3            | 0 1 2 3 2 3 0       | 1
            a shard under way is not begun again            | R +1 +2 +3 R +1 +2 +3            | 0 1 2 3 1 2 3       | 2
            one that ends late is troubled no more          | R +1 +2 +3 R +1 +2 +3 +0 R       | 0 1 2 3 1 2 3 0 1   | 2 1
            a shard under way counts as one that failed     | R -1 +2 +3 R +2 +3               | 0 1 2 3 2 3         | 2
            a new round stops the one under way             | R R +0                           | 0 1 2 3             | none
            a stopped round begins no turn afterward       | R R +2 +3 +0                     | 0 1 2 3             | 2
            a stopped round ends with its turns             | R R +0 +1                        | 0 1 2 3             | 1
            """)
    void shardsRunInTurns(String row, String events, String expectedOrder, String expectedEnded) {
        int rounds = 0;
        for (String event : events.split(" ")) {
            if (event.equals("R")) {
                String round = String.valueOf(++rounds);
                turns.forEach(turn -> {
                    begun.put(turn.shard(), turn);
                    order.add(turn.shard());
                }, () -> ended.add(round));
            } else {
                begun.get(event.substring(1)).end(event.startsWith("+"));
            }
        }

        assertThat(String.join(" ", order)).isEqualTo(expectedOrder);
        assertThat(String.join(" ", ended)).isEqualTo(expectedEnded == null ? "" : expectedEnded);
    }

    @Test
    void aRoundWhoseTurnsEndAtOnceEndsOnce() {
        turns.forEach(turn -> turn.end(true), () -> ended.add("1"));

        assertThat(ended).containsExactly("1");
    }
}
