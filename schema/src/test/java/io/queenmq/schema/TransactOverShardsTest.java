package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A transaction or a cycle over partitions of several shards is applied in all of them or in none, also after a crash.
 */
class TransactOverShardsTest {
    private static final String GROUP = FilledShards.GROUP;
    private static final int SHARDS = FilledShards.COUNT;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(FilledShards.COUNT);

    private final Api api = database.api();
    private final FilledShards filled = new FilledShards(database);
    private final KilledSteps steps = new KilledSteps(database);

    @Test
    void killedTransactionIsAppliedInAllShardsOrNone() {
        var partitions = filled.partitions();
        var requests = filled.leased(partitions);
        var transaction = new Transaction(
                partitions.reversed().stream().map(partition -> new Append(partition, 3, Batch.ofSize(2))).toList(),
                requests.stream().map(request -> Holder.of(request, "{[0,2)}")).toList(),
                List.of(new Failed(3, 2, "dlq", "third"), new Failed(1, 2, "dlq", "first")),
                requests.stream().map(LeaseRequest::lease).toList());

        int killed = steps.play(session -> session.transact(transaction));

        assertThat(killed).as("at least a segment, a partition and a cursor in each shard").isGreaterThanOrEqualTo(9);
        assertThat(filled.standing(partitions)).containsExactly("5 3 1", "5 2 0", "5 3 1");
    }

    @Test
    void answersSpeakOfTheInputByItsPosition() {
        var partitions = filled.partitions();
        var requests = filled.leased(partitions);
        api.push(new Append(partitions.get(1), 3, Batch.ofSize(1)));

        assertThat(api.transact(new Transaction(List.of(new Append(partitions.get(2), 3, Batch.ofSize(1)),
                new Append(partitions.get(1), 4, Batch.ofSize(1)), new Append(partitions.get(0), 3, Batch.ofSize(1))),
                requests.reversed().stream().map(request -> Holder.of(request, "{}")).toList(),
                List.of(new Failed(1, 0, "dlq", "of the last"), new Failed(3, 0, "dlq", "of the first")), List.of())))
                .containsExactly(3L, 4L, 3L);

        assertThat(DeadLetter.of(api, partitions.get(2))).extracting(DeadLetter::error).containsExactly("of the last");
        assertThat(DeadLetter.of(api, partitions.get(0))).extracting(DeadLetter::error).containsExactly("of the first");
    }

    @Test
    void errorInTheLastShardRollsBackTheFirst() {
        var partitions = filled.partitions();
        var requests = filled.leased(partitions);
        var appends = partitions.stream().map(partition -> new Append(partition, 3, Batch.ofSize(1))).toList();
        var before = filled.standing(partitions);

        assertRefused("QN001",
                new Transaction(List.of(appends.get(0), new Append(partitions.get(2), 7, Batch.ofSize(1))), List.of(),
                        List.of(), List.of()));
        assertRefused("QN002",
                new Transaction(appends,
                        List.of(Holder.of(requests.get(0), "{[0,1)}"),
                                Holder.of(LeaseRequest.of(partitions.get(2), GROUP, 1), "{[0,1)}")),
                        List.of(), List.of()));
        assertRefused("QN002", new Transaction(appends, List.of(), List.of(),
                List.of(requests.get(0).lease(), partitions.get(2).newLeaseId())));
        assertThat(filled.standing(partitions)).isEqualTo(before);
    }

    @Test
    void aTransactionDoesNotWaitInAnyShard() {
        var partitions = filled.partitions();
        var requests = filled.leased(partitions);
        var blocker = database.newSession();
        blocker.execute("begin");
        blocker.in(partitions.get(2),
                "select from cursor where partition_id = '" + partitions.get(2).id() + "' for update");
        assertRefused("QN006", new Transaction(List.of(),
                requests.stream().map(request -> Holder.of(request, "{[0,1)}")).toList(), List.of(), List.of()));
        blocker.in(partitions.get(1), "select from partition where id = '" + partitions.get(1).id() + "' for update");
        assertRefused("QN001",
                new Transaction(
                        partitions.stream().map(partition -> new Append(partition, 3, Batch.ofSize(1))).toList(),
                        List.of(), List.of(), List.of()));
        blocker.execute("rollback");
    }

    @Test
    void aLimitIsOverAllShards() {
        var partitions = database.newPartitionInEachShard();
        api.configure(partitions.getFirst().queue(), Map.of("max_size", 5));
        partitions.forEach(partition -> api.pushBounded(new Append(partition, 0, Batch.ofSize(2))));

        assertThat(partitions.stream().mapToLong(filled::head).sum()).isEqualTo(5);
        assertThatThrownBy(() -> api
                .transactBounded(List.of(new Append(partitions.get(0), filled.head(partitions.get(0)), Batch.ofSize(1)),
                        new Append(partitions.get(1), filled.head(partitions.get(1)), Batch.ofSize(1)))))
                .isInstanceOfSatisfying(Rows.SqlFailure.class,
                        refused -> assertThat(refused.state()).isEqualTo("QN004"));
        assertThat(partitions.stream().mapToLong(filled::head).sum()).isEqualTo(5);
    }

    @Test
    void aCycleWithSinksInOtherShardsIsAtomicDespiteKills() {
        var partitions = filled.partitions();
        var requests = filled.leased(partitions);
        var sinks = database.newPartitionInEachShard();
        var query = api.list(rows -> rows.getObject(1, UUID.class),
                "select query_id from " + api.schema() + ".register_query(null, ?, ?, null, 'hash', false)",
                "over shards", partitions.getFirst().queue()).getFirst();
        var tokens = partitions.stream().map(_ -> UUID.randomUUID()).toList();

        var answers = new ArrayList<String>();
        int killed = steps.play(session -> {
            answers.clear();
            answers.addAll(cycle(session, query, requests, tokens, sinks));
        });

        assertThat(killed).isGreaterThanOrEqualTo(15);
        assertThat(answers).as("cycles with finished messages, and segments with bases")
                .containsExactlyInAnyOrder("1 go 2 true", "2 go 2 true", "3 go 2 true", "1 at 0", "2 at 0", "3 at 0");
        assertThat(sinks).allMatch(sink -> filled.head(sink) == 1);
        assertThat(filled
                .strings("select sum(cycles) || ' ' || sum(messages) || ' ' || sum(emitted) || ' ' || sum(state_rows)"
                        + " from queen.stream_count where query_id = ?", query))
                .containsExactly("3 6 3 3");
        assertThat(cycle(api, query, requests, tokens, sinks)).containsExactlyInAnyOrder("1 repeated 0 false",
                "2 repeated 0 false", "3 repeated 0 false");

        steps.play(session -> session.list(rows -> rows.getString(1),
                "select " + api.schema() + ".delete_query('me', 'over shards')"));
        assertThat(filled.strings("select count(*) from queen.stream_partition where query_id = ?", query))
                .containsExactly("0");
        assertThat(filled.strings("select count(*) from queen.stream_garbage")).containsExactly("3");
    }

    /** Each reads two messages of its partition, writes a key, and pushes to the sink of the next shard. */
    private static List<String> cycle(Api session, UUID query, List<LeaseRequest> requests, List<UUID> tokens,
            List<Partition> sinks) {
        var args = new Args<>(session.connection(), requests);
        session.selectShardOf(
                Stream.concat(requests.stream().map(LeaseRequest::partition), sinks.stream().map(Partition::id)));
        return Rows.strings(session.connection(),
                "select case when push_index is null then index || ' ' || verdict || ' '"
                        + " || finished || ' ' || is_released else push_index || ' at ' || base end from "
                        + session.schema()
                        + ".cycle(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, array[1, 2, 3], array['k', 'k', 'k'], ?,"
                        + " array_fill(null::double precision, array[3]), ?, array[1, 2, 3], ?, ?, array[1, 1, 1], ?, ?, ?, '{}', 0)",
                args.uuids(_ -> query), args.uuids(LeaseRequest::partition), args.texts(LeaseRequest::group),
                args.uuids(request -> tokens.get(requests.indexOf(request))), args.booleans(_ -> true),
                args.uuids(LeaseRequest::lease), args.longs(_ -> 1L), args.texts(_ -> null), args.booleans(_ -> false),
                args.booleans(_ -> false), args.bytes(_ -> "{}".getBytes()), args.booleans(_ -> false),
                args.uuids(request -> sinks.get((requests.indexOf(request) + 1) % SHARDS).id()), args.longs(_ -> 0L),
                args.bytes(_ -> Batch.ofSize(1).hashes()), args.bytes(_ -> Batch.ofSize(1).body()),
                args.ints(_ -> Batch.ofSize(1).largestLine()));
    }

    private void assertRefused(String state, Transaction transaction) {
        assertThatThrownBy(() -> api.transact(transaction)).isInstanceOfSatisfying(Rows.SqlFailure.class,
                refused -> assertThat(refused.state()).isEqualTo(state));
    }
}
