package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What concerns lanes of several shards is done in all of them or in none, whatever happens on the way. */
class OverShardsTest {
    private static final String GROUP = "workers";
    private static final int SHARDS = 3;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(SHARDS);

    private final Api api = database.api();
    private final KilledSteps steps = new KilledSteps(database);

    @BeforeAll
    static void watch() {
        new KilledSteps(database).watch();
    }

    /** One in each shard, with three messages and a cursor at their start. */
    private List<Lane> lanes() {
        var lanes = database.newLaneInEachShard();
        lanes.forEach(this::fill);
        return lanes;
    }

    private void fill(Lane lane) {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        api.openCursors(new Opening(lane.id(), GROUP, null));
    }

    private List<Wish> leased(List<Lane> lanes) {
        var wishes = lanes.stream().map(lane -> Wish.of(lane, GROUP, 3)).toList();
        assertThat(api.lease(wishes.toArray(Wish[]::new))).allMatch(Given::isLeased);
        return wishes;
    }

    private List<String> strings(String sql, Object... values) {
        return Rows.strings(api.connection(), sql, values);
    }

    /** Of each lane: head, where the group stands, and dead letters. */
    private List<String> standing(List<Lane> lanes) {
        return lanes.stream().map(lane -> strings("select p.head || ' ' || c.committed || ' ' || (select count(*)"
                + " from queen.dead_letter d where d.partition_id = p.id) from queen.partition p join queen.cursor c"
                + " on c.partition_id = p.id and c.group_name = 'workers' where p.id = ?", lane.id()).getFirst())
                .toList();
    }

    @Nested
    class Transact {
        @Test
        void itGoesThroughAllShardsOrNoneHoweverItIsKilled() {
            var lanes = lanes();
            var wishes = leased(lanes);
            var transaction = new Transaction(
                    lanes.reversed().stream().map(lane -> new Append(lane, 3, Batch.ofSize(2))).toList(),
                    wishes.stream().map(wish -> Holder.of(wish, "{[0,2)}")).toList(),
                    List.of(new Failed(3, 2, "dlq", "third"), new Failed(1, 2, "dlq", "first")),
                    wishes.stream().map(Wish::lease).toList());

            int killed = steps.play(session -> session.transact(transaction));

            assertThat(killed).as("at least a segment, a lane and a cursor in each shard").isGreaterThanOrEqualTo(9);
            assertThat(standing(lanes)).containsExactly("5 3 1", "5 2 0", "5 3 1");
        }

        @Test
        void answersSpeakOfTheInputByItsPosition() {
            var lanes = lanes();
            var wishes = leased(lanes);
            api.push(new Append(lanes.get(1), 3, Batch.ofSize(1)));

            assertThat(api.transact(new Transaction(
                    List.of(new Append(lanes.get(2), 3, Batch.ofSize(1)), new Append(lanes.get(1), 4, Batch.ofSize(1)),
                            new Append(lanes.get(0), 3, Batch.ofSize(1))),
                    wishes.reversed().stream().map(wish -> Holder.of(wish, "{}")).toList(),
                    List.of(new Failed(1, 0, "dlq", "of the last"), new Failed(3, 0, "dlq", "of the first")),
                    List.of()))).containsExactly(3L, 4L, 3L);

            assertThat(DeadLetter.of(api, lanes.get(2))).extracting(DeadLetter::error).containsExactly("of the last");
            assertThat(DeadLetter.of(api, lanes.get(0))).extracting(DeadLetter::error).containsExactly("of the first");
        }

        @Test
        void whatStandsInTheWayInTheLastShardUndoesTheFirst() {
            var lanes = lanes();
            var wishes = leased(lanes);
            var appends = lanes.stream().map(lane -> new Append(lane, 3, Batch.ofSize(1))).toList();
            var before = standing(lanes);

            assertRefused("QN001",
                    new Transaction(List.of(appends.get(0), new Append(lanes.get(2), 7, Batch.ofSize(1))),
                            List.of(), List.of(), List.of()));
            assertRefused("QN002", new Transaction(appends, List.of(Holder.of(wishes.get(0), "{[0,1)}"),
                    Holder.of(Wish.of(lanes.get(2), GROUP, 1), "{[0,1)}")), List.of(), List.of()));
            assertRefused("QN002", new Transaction(appends, List.of(), List.of(), List.of(wishes.get(0).lease(),
                    lanes.get(2).newLeaseId())));
            assertThat(standing(lanes)).isEqualTo(before);
        }

        @Test
        void itWaitsForNobodyInAnyShard() {
            var lanes = lanes();
            var wishes = leased(lanes);
            var somebody = database.newSession();
            somebody.execute("begin");
            somebody.in(lanes.get(2), "select from cursor where partition_id = '" + lanes.get(2).id() + "' for update");
            assertRefused("QN006",
                    new Transaction(List.of(), wishes.stream().map(wish -> Holder.of(wish, "{[0,1)}")).toList(),
                            List.of(), List.of()));
            somebody.in(lanes.get(1), "select from partition where id = '" + lanes.get(1).id() + "' for update");
            assertRefused("QN001",
                    new Transaction(lanes.stream().map(lane -> new Append(lane, 3, Batch.ofSize(1))).toList(),
                            List.of(), List.of(), List.of()));
            somebody.execute("rollback");
        }

        private void assertRefused(String state, Transaction transaction) {
            assertThatThrownBy(() -> api.transact(transaction)).isInstanceOfSatisfying(Rows.SqlFailure.class,
                    refused -> assertThat(refused.state()).isEqualTo(state));
        }
    }

    @Test
    void aLimitIsOverAllShards() {
        var lanes = database.newLaneInEachShard();
        api.configure(lanes.getFirst().queue(), Map.of("max_size", 5));
        lanes.forEach(lane -> api.pushBounded(new Append(lane, 0, Batch.ofSize(2))));

        assertThat(lanes.stream().mapToLong(this::head).sum()).isEqualTo(5);
        assertThatThrownBy(
                () -> api.transactBounded(List.of(new Append(lanes.get(0), head(lanes.get(0)), Batch.ofSize(1)),
                        new Append(lanes.get(1), head(lanes.get(1)), Batch.ofSize(1)))))
                .isInstanceOfSatisfying(
                        Rows.SqlFailure.class, refused -> assertThat(refused.state()).isEqualTo("QN004"));
        assertThat(lanes.stream().mapToLong(this::head).sum()).isEqualTo(5);
    }

    private long head(Lane lane) {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", lane.id());
    }

    @Test
    void aCycleWhoseSinksAreElsewhereTakesEffectAsAWholeHoweverItIsKilled() {
        var lanes = lanes();
        var wishes = leased(lanes);
        var sinks = database.newLaneInEachShard();
        var query = api.list(rows -> rows.getObject(1, UUID.class), "select query_id from " + api.schema()
                + ".register_query(null, ?, ?, null, 'hash', false)", "over shards", lanes.getFirst().queue())
                .getFirst();
        var tokens = lanes.stream().map(_ -> UUID.randomUUID()).toList();

        var answers = new ArrayList<String>();
        int killed = steps.play(session -> {
            answers.clear();
            answers.addAll(cycle(session, query, wishes, tokens, sinks));
        });

        assertThat(killed).isGreaterThanOrEqualTo(15);
        assertThat(answers).as("cycles with what they finished, and segments with where they are")
                .containsExactlyInAnyOrder("1 go 2 true", "2 go 2 true", "3 go 2 true", "1 at 0", "2 at 0", "3 at 0");
        assertThat(sinks).allMatch(sink -> head(sink) == 1);
        assertThat(strings("select sum(cycles) || ' ' || sum(messages) || ' ' || sum(emitted) || ' ' || sum(state_rows)"
                + " from queen.stream_count where query_id = ?", query)).containsExactly("3 6 3 3");
        assertThat(cycle(api, query, wishes, tokens, sinks)).containsExactlyInAnyOrder("1 repeated 0 false",
                "2 repeated 0 false", "3 repeated 0 false");

        steps.play(session -> session.list(rows -> rows.getString(1), "select " + api.schema()
                + ".delete_query('me', 'over shards')"));
        assertThat(strings("select count(*) from queen.stream_lane where query_id = ?", query)).containsExactly("0");
        assertThat(strings("select count(*) from queen.stream_garbage")).containsExactly("3");
    }

    /** Each reads two messages of its lane, writes a key, and pushes to the sink of the next shard. */
    private static List<String> cycle(Api session, UUID query, List<Wish> wishes, List<UUID> tokens, List<Lane> sinks) {
        var args = new Args<>(session.connection(), wishes);
        session.enterFor(Stream.concat(wishes.stream().map(Wish::lane), sinks.stream().map(Lane::id)));
        return Rows.strings(session.connection(),
                "select case when push_index is null then index || ' ' || verdict || ' '"
                        + " || finished || ' ' || is_released else push_index || ' at ' || base end from "
                        + session.schema()
                        + ".cycle(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, array[1, 2, 3], array['k', 'k', 'k'], ?,"
                        + " array_fill(null::double precision, array[3]), ?, array[1, 2, 3], ?, ?, array[1, 1, 1], ?, ?, ?, '{}', 0)",
                args.uuids(_ -> query), args.uuids(Wish::lane), args.texts(Wish::group),
                args.uuids(wish -> tokens.get(wishes.indexOf(wish))), args.booleans(_ -> true), args.uuids(Wish::lease),
                args.longs(_ -> 1L), args.texts(_ -> null), args.booleans(_ -> false), args.booleans(_ -> false),
                args.bytes(_ -> "{}".getBytes()), args.booleans(_ -> false),
                args.uuids(wish -> sinks.get((wishes.indexOf(wish) + 1) % SHARDS).id()), args.longs(_ -> 0L),
                args.bytes(_ -> Batch.ofSize(1).hashes()), args.bytes(_ -> Batch.ofSize(1).body()),
                args.ints(_ -> Batch.ofSize(1).largestLine()));
    }

    @Nested
    class InAUsersTransaction {
        @Test
        void pushesAndAcksInSeveralShardsAreThereTogetherHoweverItIsKilled() {
            var lanes = lanes();
            var wishes = leased(lanes);
            var queue = lanes.getFirst().queue();
            var transactionIds = lanes.stream().map(lane -> strings("select transaction_id from queen.message"
                    + " where partition_id = ? and \"offset\" = 0", lane.id()).getFirst()).toList();
            rehash(lanes);

            int killed = steps.play(session -> {
                session.execute("begin");
                for (int i = SHARDS - 1; i >= 0; i--) {
                    session.list(rows -> rows.getString(1), "select queen.push(?, ?, '1'::text)", queue,
                            lanes.get(i).name());
                    session.list(rows -> rows.getString(1), "select queen.ack(?, ?, ?, ?)", lanes.get(i).id(), GROUP,
                            wishes.get(i).lease(), transactionIds.get(i));
                }
                session.execute("commit");
            });

            assertThat(killed).isGreaterThanOrEqualTo(15);
            assertThat(standing(lanes)).containsExactly("4 1 0", "4 1 0", "4 1 0");
            assertThat(strings("select count(*) from queen.commitment")).containsExactly("0");
        }

        /** Batches of tests carry hashes of their own. */
        private void rehash(List<Lane> lanes) {
            lanes.forEach(lane -> api.in(lane, """
                    update segment s set hashes = (
                        select string_agg(int8send(hashtextextended(f.transaction_id, 0)), '' order by l.o)
                        from string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\\n'), e'\\n') with ordinality as l (line, o)
                        cross join lateral :api.line_fields(l.line) f)
                    where s.partition_id = '%s'""".formatted(lane.id()).replace(":api", api.schema())));
        }

        @Test
        void tablesOfTheSessionAreNotTakenForOurs() {
            var lane = database.newLane();
            var mine = database.newSession();
            for (var table : List.of("partition", "partition_key", "segment", "cursor", "touched_lanes", "shard")) {
                mine.execute("create temp table " + table + " (id int)");
            }

            mine.execute("select queen.push('" + lane.queue() + "', '" + lane.name() + "', '1'::text)");

            assertThat(head(lane)).isEqualTo(1);
        }

        @Test
        void theSearchPathOfTheSessionStays() {
            var lane = database.newLane();
            var mine = database.newSession();
            Rows.execute(mine.connection(), "set search_path = public");
            Rows.execute(mine.connection(), "begin");
            Rows.execute(mine.connection(), "set constraints all immediate");

            Rows.execute(mine.connection(),
                    "select queen.push('" + lane.queue() + "', '" + lane.name() + "', '1'::text)");

            assertThat(Rows.strings(mine.connection(), "show search_path")).containsExactly("public");
            Rows.execute(mine.connection(), "commit");
        }
    }

    @Nested
    class Operators {
        private final List<Lane> lanes = lanes();
        private final String queue = lanes.getFirst().queue();

        @Test
        void deleteAQueue() {
            leased(lanes);
            steps.play(session -> assertThat(session.deleteQueue(queue)).isTrue());

            for (var table : List.of("partition", "partition_key", "lane_upkeep", "dead_letter", "queue_depth")) {
                assertThat(strings("select count(*) from queen." + table + " where queue_id = ?",
                        lanes.getFirst().queueId())).as(table).containsExactly("0");
            }
            assertThat(lanes).allSatisfy(lane -> assertThat(strings("select (select count(*) from queen.segment where"
                    + " partition_id = x.id) + (select count(*) from queen.cursor where partition_id = x.id) + (select"
                    + " count(*) from queen.cursor_key where partition_id = x.id) from (select ?::uuid as id) x",
                    lane.id()))
                    .containsExactly("0"));
            assertThat(strings("select before ->> 'lanes' from queen.audit where target = ?", "queue " + queue)).last()
                    .isEqualTo(Long.toString(12 * SHARDS + 1));
        }

        @Test
        void deleteAGroup() {
            int killed = steps.play(session -> assertThat(session.operate("{deletedPartitions}", "delete_group", "me",
                    GROUP, queue, true)).isEqualTo("3"));

            assertThat(killed).isGreaterThanOrEqualTo(9);
            assertThat(strings("select count(*) from queen.cursor c join queen.partition p on p.id = c.partition_id"
                    + " where p.queue_id = ?", lanes.getFirst().queueId())).containsExactly("0");
        }

        @Test
        void seekAQueue() {
            leased(lanes);
            steps.play(
                    session -> assertThat(session.operate("{partitionsUpdated}", "seek_queue", "me", GROUP, queue, true,
                            false, null)).isEqualTo("0"));

            assertThat(standing(lanes)).containsExactly("3 3 0", "3 3 0", "3 3 0");
            assertThat(strings("select count(*) from queen.cursor where lease_id is not null and group_name = 'workers'"
                    + " and partition_id in (?, ?, ?)", lanes.get(0).id(), lanes.get(1).id(), lanes.get(2).id()))
                    .containsExactly("0");
        }

        @Test
        void clearAQueue() {
            steps.play(session -> assertThat(session.operate("{cleared}", "clear_queue", "me", queue, null))
                    .isEqualTo("9"));

            assertThat(standing(lanes)).containsExactly("3 3 0", "3 3 0", "3 3 0");
            assertThat(strings("select count(*) from queen.message where queue = ?", queue)).containsExactly("0");
        }

        @Test
        void clearOneLane() {
            assertThat(api.operate("{cleared}", "clear_queue", "me", queue, lanes.get(1).name())).isEqualTo("3");
            assertThat(api.operate("{cleared}", "clear_queue", "me", queue, "no such lane")).isNull();
            assertThat(standing(lanes)).containsExactly("3 0 0", "3 3 0", "3 0 0");
        }

        @Test
        void changeOneLane() {
            for (var lane : lanes) {
                assertThat(api.operate("{paused}", "pause_lane", "me", lane.id(), true)).isEqualTo("true");
                assertThat(api.lease(Wish.of(lane, GROUP, 1))).noneMatch(Given::isLeased);
                assertThat(
                        api.operate("{cursorMovedTo}", "seek_lane", "me", GROUP, queue, lane.name(), false, false, null,
                                1L))
                        .isEqualTo("1");
                api.subscribe(GROUP, queue, "", "", "all", null);
                assertThat(api.operate("{cursorMovedTo}", "skip_message", "me", GROUP, queue, lane.name(), true))
                        .isEqualTo("2");
            }
            assertThat(standing(lanes)).containsExactly("3 2 1", "3 2 1", "3 2 1");
            assertThat(api.operate("{total}", "list_dead_letters", queue, null, null, null, null, null, 10L, 0L))
                    .isEqualTo("3");
        }

        @Test
        void purgeDeadLetters() {
            leased(lanes).forEach(wish -> api.nack(List.of(Holder.of(wish, "{}")), new Failed(1, 0, "dlq", "boom")));

            steps.play(session -> assertThat(
                    session.operate("{purged}", "purge_dead_letters", "me", queue, null, null, null,
                            null, null, null))
                    .isEqualTo("3"));

            assertThat(standing(lanes)).containsExactly("3 1 0", "3 1 0", "3 1 0");
        }
    }

    @Test
    void whoSubscribesToWhatIsNewFindsNothingOldInAnyShard() {
        var lanes = lanes();
        steps.play(session -> session.subscribe("late", lanes.getFirst().queue(), "", "", "new", null));

        assertThat(strings("select count(*) || ' ' || sum(c.committed) from queen.cursor c join queen.partition p"
                + " on p.id = c.partition_id where c.group_name = 'late' and p.queue_id = ?",
                lanes.getFirst().queueId()))
                .containsExactly("3 9");
    }

    @Test
    void shardsAreCountedByThemselvesAndShownTogether() {
        var lanes = lanes();
        var other = database.newSession();
        other.enter(Shards.name(0));
        Rows.execute(other.connection(), "begin");
        Rows.execute(other.connection(), "select " + api.schema() + ".count_touched(0)");

        assertThat(countTouched(0)).as("somebody is counting there").isEqualTo("busy");
        assertThat(countTouched(1)).isEqualTo("done");
        Rows.execute(other.connection(), "commit");
        api.countTouched();

        api.execute("select " + api.schema() + ".touch_queues(array['" + lanes.getFirst().queue() + "'])");
        api.countTouched();
        assertThat(new Desk(api).ask("show_queue('" + lanes.getFirst().queue() + "', 5, null)", "totals,pending"))
                .isEqualTo("9");
        assertThat(
                strings("select partitions || ' ' || total || ' ' || pending from queen.queue_depth where queue_id = ?",
                        lanes.getFirst().queueId()))
                .containsExactly(12 * SHARDS + 1 + " 9 9");
        assertThatThrownBy(() -> api.list(rows -> rows.getString(1), "select " + api.schema() + ".count_touched(0)"))
                .hasMessageContaining("shard by shard");
    }

    @Test
    void lanesAreListedByNameWhereverTheyAre() {
        var queue = database.newLanes(20).getFirst().queue();
        var names = new ArrayList<String>();
        String next = null;
        do {
            var after = next == null ? "null" : "'" + next + "'";
            var page = "list_lanes('%s', null, null, 'name', 7, %s)".formatted(queue, after);
            names.addAll(new Desk(api).each(page, "partitions", "name"));
            next = new Desk(api).ask(page, "next");
        } while (next != null);

        assertThat(names).hasSize(21).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void messagesOfAllShardsAreListedNewestFirst() {
        var lanes = lanes();
        for (int i = 0; i < 9; i++) {
            api.push(new Append(lanes.get(i % SHARDS), 3 + i / SHARDS, Batch.ofSize(1)));
        }

        assertThat(new Desk(api).each("list_messages('" + lanes.getFirst().queue()
                + "', null, null, null, null, null, null, 5, 0)", "messages", "partition")).containsExactly(
                        lanes.get(2).name(), lanes.get(1).name(), lanes.get(0).name(), lanes.get(2).name(),
                        lanes.get(1).name());
    }

    private String countTouched(int shard) {
        api.enter(Shards.name(shard));
        return strings("select " + api.schema() + ".count_touched(0)").getFirst();
    }

    @Test
    void deadLettersOfAllShardsAreReported() {
        var lanes = lanes();
        leased(lanes).forEach(wish -> api.nack(List.of(Holder.of(wish, "{}")), new Failed(1, 0, "dlq", "boom")));

        NumbersReport.of(UUID.randomUUID(), 1, 1, lanes.getFirst().queueId()).send(api);

        assertThat(
                strings("select sum(kept) from queen.dead_letter_sum where queue_id = ?", lanes.getFirst().queueId()))
                .containsExactly("3");
        assertThat(
                strings("select dead_letters from queen.queue_lifetime where queue_id = ?", lanes.getFirst().queueId()))
                .containsExactly("3");
    }

    @Test
    void pushesInEveryShardAreWaitedFor() {
        for (var lane : lanes()) {
            var pushing = database.newSession();
            pushing.execute("begin");
            pushing.push(new Append(lane, 3, Batch.ofSize(1)));

            assertThatThrownBy(
                    () -> api.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".await_pushes(1)"))
                    .isInstanceOfSatisfying(Rows.SqlFailure.class, e -> assertThat(e.state()).isEqualTo("55P03"));
            pushing.execute("commit");
        }
    }
}
