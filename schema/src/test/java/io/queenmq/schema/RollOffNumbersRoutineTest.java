package io.queenmq.schema;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Old numbers are removed, a bounded number at a time, and nothing else. */
class RollOffNumbersRoutineTest {
    private static final int DAY = 86_400;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();
    private final UUID queue = database.newPartition().queueId();
    private final UUID server = UUID.randomUUID();

    @BeforeEach
    void begin() {
        api.execute("truncate queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.server,"
                + " queen.queue_lifetime, queen.refusal_sum, queen.cluster_member");
        api.everywhere("truncate dead_letter_sum, dead_letter_change");
    }

    @Test
    void olderRowsAreRemovedAndYoungerOnesStay() {
        NumbersReport.of(server, 1, 1, queue).aged(91 * DAY).send(api);
        NumbersReport.of(server, 2, 1, queue).aged(89 * DAY).send(api);
        NumbersReport.of(server, 3, 1, queue).send(api);

        assertThat(rollOff(90, 1000)).as("a minute and an hour, of the queue, the server and its gauge").isEqualTo(6);

        for (String table : new String[]{"queue_bucket", "server_bucket", "server_gauge"}) {
            assertThat(count(table)).as(table).isEqualTo(4);
        }
        assertThat(count("server")).isEqualTo(1);
        assertThat(count("queue_lifetime")).isEqualTo(1);
        assertThat(rollOff(90, 1000)).isZero();
    }

    @Test
    void oneCallRemovesAtMostItsLimit() {
        // Half past an hour: in the first minute of an hour, the buckets of the minute and of the hour have the same time.
        int toHalfPast = (LocalTime.now(UTC).getMinute() + 30) % 60 * 60;
        for (int day = 0; day < 10; day++) {
            NumbersReport.of(server, day + 1, 1, queue).aged((100 + day) * DAY + toHalfPast).send(api);
        }

        assertThat(rollOff(90, 5)).isEqualTo(15);
        assertThat(count("queue_bucket")).isEqualTo(15);
    }

    @Test
    void serversWithoutReportsAndTotalsOfDeletedQueuesAreRemoved() {
        UUID deleted = UUID.randomUUID();
        api.execute("insert into queen.dead_letter_change (queue_id, reason, ever, kept) values ('" + deleted
                + "', 'operator', 1, 1), ('" + queue + "', 'operator', 1, 1)");
        NumbersReport.of(server, 1, 1, queue, deleted).send(api);
        NumbersReport.of(UUID.randomUUID(), 1, 1).send(api);
        api.execute("update queen.server set seen_at = now() - interval '91 days' where id <> '" + server + "'");

        rollOff(90, 1000);

        assertThat(count("server")).isEqualTo(1);
        for (String table : new String[]{"queue_lifetime", "refusal_sum", "dead_letter_sum"}) {
            assertThat(count(table)).as(table).isEqualTo(1);
        }
    }

    /** With a changed secret servers form another group, and no server removes the members of the old one. */
    @Test
    void killedMembersAreRemovedAndLiveOnesStay() {
        NumbersReport.of(server, 1, 1).send(api);
        String name = api.list(rows -> rows.getString(1), "select hostname || ':' || worker_id from queen.server")
                .getFirst();
        api.execute("update queen.server set started_at = now() - interval '3 hours'");
        member("killed and started again", name, 4);
        member("alive", name, 2);
        member("killed for good", "other-host:worker-1", 2);
        member("started a moment ago", "other-host:worker-2", 0);

        assertThat(rollOff(90, 1000)).isEqualTo(2);

        assertThat(api.list(rows -> rows.getString(1), "select address from queen.cluster_member order by address"))
                .containsExactly("alive", "started a moment ago");
    }

    private void member(String address, String name, int hoursAgo) {
        api.execute("insert into queen.cluster_member (address, name, cluster, ip, coord, since) values ('" + address
                + "', '" + name + "', 'c', 'i', false, now() - interval '" + hoursAgo + " hours')");
    }

    private long rollOff(int days, int rows) {
        return api.list(answer -> answer.getLong(1), "select " + api.schema() + ".roll_off_numbers(?, ?)", days, rows)
                .getFirst();
    }

    private long count(String table) {
        return api.list(rows -> rows.getLong(1), "select count(*) from queen." + table).getFirst();
    }
}
