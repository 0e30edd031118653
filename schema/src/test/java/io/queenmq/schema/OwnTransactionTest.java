package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** {@code queen.push} and {@code queen.ack} inside a transaction of a user's program. */
class OwnTransactionTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Api mine = database.newSession();
    private Queue queue;

    @BeforeEach
    void configure() {
        queue = api.configure("orders-" + UUID.randomUUID(), Map.of());
    }

    @Test
    void aMessageIsThereWhenTheTransactionCommitsAndNotBefore() {
        mine.execute("begin");
        assertThat(push(mine, "a", "{\"n\": 1}", "t1")).isEqualTo("queued");
        assertThat(push(mine, "a", "[1,\n 2]", "t2")).isEqualTo("queued");
        assertThat(lines("a")).isEmpty();
        mine.execute("commit");

        assertThat(lines("a")).extracting(line -> line.replaceFirst("\"id\":\"[0-9a-f-]{36}\"", "\"id\":\"?\""))
                .containsExactly(
                        "{\"id\":\"?\",\"transactionId\":\"t1\",\"traceId\":null,\"producerSub\":null,\"data\":{\"n\": 1}}",
                        "{\"id\":\"?\",\"transactionId\":\"t2\",\"traceId\":null,\"producerSub\":null,\"data\":[1,  2]}");
        assertThat(strings("select count(*) from queen.commitment")).containsExactly("0");
    }

    @Test
    void rolledBackPushIsNotStored() {
        push(api, "a", "1", "t1");
        mine.execute("begin");
        push(mine, "a", "2", "t2");
        push(mine, "b", "2", "t2");
        mine.execute("rollback");
        push(api, "a", "3", "t3");

        assertThat(lines("a")).hasSize(2).noneMatch(line -> line.contains("t2"));
        assertThat(lines("b")).isEmpty();
    }

    @Test
    void jsonAndJsonbAndALiteralCanBePushed() {
        api.execute("select queen.push('" + queue.name() + "', 'a', jsonb_build_object('b', 1))");
        api.execute("select queen.push('" + queue.name() + "', 'a', json_build_object('b', 2))");
        api.execute("select queen.push('" + queue.name() + "', 'a', '{\"b\":3}')");
        api.execute("select queen.push(queue => '" + queue.name() + "', partition => 'a', payload => 'null')");

        assertThat(lines("a")).extracting(line -> line.replaceFirst(".*\"data\":", "")).containsExactly("{\"b\": 1}}",
                "{\"b\" : 2}}", "{\"b\":3}}", "null}");
    }

    @Test
    void headersAndATraceIdArePushedAsServersStoreThem() {
        var trace = UUID.randomUUID();
        api.execute("select queen.push('" + queue.name() + "', 'a', '1', null, '{\"a\" : \"b\\n\",\"data\":\"x\"}')");
        api.execute("select queen.push('" + queue.name() + "', 'a', '2'::jsonb, 't', json_build_object('k', 'v'))");
        api.execute("select queen.push('" + queue.name() + "', 'a', '3'::json, null, '{}', '" + trace + "')");
        api.execute("select queen.push('" + queue.name() + "', 'a', '4', null, null)");

        assertThat(lines("a")).extracting(line -> line.replaceFirst(".*\"traceId\":", "")).containsExactly(
                "null,\"producerSub\":null,\"headers\":{\"a\":\"b\\n\", \"data\":\"x\"},\"data\":1}",
                "null,\"producerSub\":null,\"headers\":{\"k\":\"v\"},\"data\":2}",
                "\"" + trace + "\",\"producerSub\":null,\"data\":3}", "null,\"producerSub\":null,\"data\":4}");
    }

    @Test
    void invalidHeadersAreRejected() {
        for (String headers : List.of("[]", "{\"a\":1}", "{\"a\":null}", "{\"\":\"x\"}", "{\"a\":\"1\",\"a\":\"2\"}",
                "{\"a\":\"" + "x".repeat(4089) + "\"}", IntStream.range(0, 65).mapToObj(i -> "\"" + i + "\":\"x\"")
                        .collect(Collectors.joining(",", "{", "}")))) {
            assertThatThrownBy(
                    () -> api.execute("select queen.push('" + queue.name() + "', 'a', '1', null, '" + headers + "')"))
                    .as(headers).hasMessageContaining("header");
        }
        api.execute(
                "select queen.push('" + queue.name() + "', 'a', '1', null, '{\"a\":\"" + "x".repeat(4088) + "\"}')");
        assertThat(lines("a")).hasSize(1);
    }

    @Test
    void aTransactionIdIsStoredOnce() {
        assertThat(push(api, "a", "1", "same")).isEqualTo("queued");
        assertThat(push(api, "a", "2", "same")).isEqualTo("duplicate");
        assertThat(push(api, "b", "3", "same")).isEqualTo("queued");
        assertThat(lines("a")).hasSize(1);

        api.everywhere("update segment set created_at = created_at - interval '61 minutes'");
        assertThat(push(api, "a", "4", "same")).isEqualTo("queued");
    }

    @Test
    void aTransactionIdOfTheSameTransactionIsADuplicateToo() {
        mine.execute("begin");
        assertThat(push(mine, "a", "1", "same")).isEqualTo("queued");
        assertThat(push(mine, "a", "2", "same")).isEqualTo("duplicate");
        mine.execute("commit");

        assertThat(lines("a")).hasSize(1);
    }

    @Test
    void theOrderIsThatOfTheCommits() throws Exception {
        push(api, "a", "0", "first");
        mine.execute("begin");
        push(mine, "a", "1", "mine");
        var theirs = database.newSession();
        var later = Step.start(theirs, session -> push(session, "a", "2", "theirs")).untilItWaits(api);
        mine.execute("commit");

        assertThat(later.result()).isEqualTo("queued");
        assertThat(transactionIds("a")).containsExactly("first", "mine", "theirs");
    }

    @Test
    void serverPushDoesNotWaitForAPartitionLockedByAnotherTransaction() {
        var partitions = List.of(partition("old"), partition("new"), partition("other"));
        push(api, "old", "0", "first");
        mine.execute("begin");
        push(mine, "old", "1", "mine");
        push(mine, "new", "1", "mine");
        var known = api.catchUp(10, 60,
                partitions.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new));
        assertThat(known).extracting(CaughtUp::head).containsExactly(1L, null, 0L);
        var stored = api.push(new Append(partitions.get(0), 1, Batch.of("x")),
                new Append(partitions.get(2), 0, Batch.of("x")));
        assertThat(stored).extracting(Api.Appended::index).containsExactly(2);
        mine.execute("commit");

        assertThat(api.catchUp(10, 60, CatchUp.of(partitions.get(1), -1))).extracting(CaughtUp::head)
                .containsExactly(1L);
        assertThat(api.push(new Append(partitions.get(0), 2, Batch.of("x")))).hasSize(1);
    }

    @Test
    void aPartitionThatIsBeingCreatedKeepsNoOtherPartitionFromBeingCreated() {
        mine.execute("begin");
        for (int i = 0; i < 3; i++) {
            push(mine, "mine-" + i, "1", "t");
        }
        var theirs = IntStream.range(0, 1000).mapToObj(i -> partition("theirs-" + i));
        var partitions = Stream.concat(theirs, IntStream.range(0, 3).mapToObj(i -> partition("mine-" + i))).toList();

        var wanted = partitions.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new);
        var known = api.catchUp(10, 60, wanted);
        assertThat(known.subList(0, 1000)).extracting(CaughtUp::head).containsOnly(0L);
        assertThat(known.subList(1000, 1003)).extracting(CaughtUp::head).containsOnlyNulls();
        mine.execute("commit");
    }

    @Test
    void aTransactionThatCreatesManyPartitionsIsNotWaitedForEither() {
        var partitions = IntStream.range(0, 50).mapToObj(i -> partition("mine-" + i)).toList();
        mine.execute("begin");
        partitions.forEach(partition -> push(mine, partition.name(), "1", "t"));
        var catchUps = partitions.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new);

        assertThat(api.catchUp(10, 60, catchUps)).hasSize(50).extracting(CaughtUp::head).containsOnlyNulls();
        mine.execute("commit");

        assertThat(api.catchUp(10, 60, catchUps)).hasSize(50).extracting(CaughtUp::head).containsOnly(1L);
    }

    @Test
    void transactionsThatCreateDifferentPartitionsDoNotWaitForEachOther() {
        var theirs = database.newSession();
        mine.execute("begin");
        theirs.execute("begin");
        theirs.execute("set local lock_timeout = '5s'");
        for (int i = 0; i < 300; i++) {
            push(mine, "mine-" + i, "1", "t");
            push(theirs, "theirs-" + i, "1", "t");
        }
        mine.execute("commit");
        theirs.execute("commit");

        assertThat(transactionIds("theirs-299")).containsExactly("t");
    }

    @Test
    void serversAreNotifiedAtCommitOncePerQueue() throws Exception {
        var listener = database.newSession();
        listener.execute("listen queen_pushed");
        mine.execute("begin");
        for (int i = 0; i < 5; i++) {
            push(mine, "partition-" + i % 2, "1", "t" + i);
        }
        assertThat(notifications(listener, 100)).isEmpty();
        mine.execute("commit");

        assertThat(notifications(listener, 60_000)).containsExactly(queue.name());
        assertThat(notifications(listener, 100)).isEmpty();
    }

    @Test
    void aPartitionCountsAsPushedToAtCommit() {
        push(api, "a", "1", "t1");
        mine.execute("begin");
        push(mine, "a", "2", "t2");
        api.execute("select pg_sleep(0.05)");
        var before = strings("select clock_timestamp()").getFirst();
        mine.execute("commit");

        assertThat(strings(
                "select active_at > '" + before + "' from queen.partition where id = '" + partition("a").id() + "'"))
                .containsExactly("t");
    }

    @Test
    void unsupportedPushesAreRejected() {
        assertThatThrownBy(() -> api.execute("select queen.push('nothing', 'a', '1')"))
                .hasMessageContaining("there is no queue \"nothing\"");
        assertThatThrownBy(() -> push(api, "a", "{", "t1")).hasMessageContaining("invalid input syntax for type json");
        assertThatThrownBy(() -> push(api, "", "1", "t1")).hasMessageContaining("the partition must not be empty");
        assertThatThrownBy(() -> push(api, "a", "1", "x".repeat(256))).hasMessageContaining("255 characters");
        api.configure(queue.name(), Map.of("encryption_enabled", true));
        assertThatThrownBy(() -> push(api, "a", "1", "t1")).hasMessageContaining("is encrypted or has a maxSize");
        assertThat(lines("a")).isEmpty();
    }

    @Test
    void anOldSnapshotStoresNoPlaintext() {
        push(api, "a", "1", "t1");
        mine.execute("begin isolation level repeatable read");
        mine.execute("select 1 from queen.queue");
        api.configure(queue.name(), Map.of("encryption_enabled", true));

        assertThatThrownBy(() -> push(mine, "a", "2", "t2")).hasMessageContaining("could not serialize access");
        mine.execute("rollback");
    }

    @Test
    void acknowledgedMessagesAreFinishedAtCommitWithoutEarlierLocks() {
        var request = leased("t1", "t2", "t3");
        mine.execute("begin");
        ack(mine, request, "t1");
        ack(mine, request, "t3");
        assertThat(committed()).isEqualTo("0");
        // A server that finishes another message of the lease does not wait.
        api.ack(Api.Holder.of(request, "{[1,2)}"));
        mine.execute("commit");

        assertThat(committed()).isEqualTo("3");
        assertThat(strings("select count(*) from queen.commitment")).containsExactly("0");
    }

    @Test
    void aLostLeaseFailsTheWholeTransaction() {
        var request = leased("t1");
        mine.execute("begin");
        ack(mine, request, "t1");
        push(mine, "results", "1", "r1");
        CursorRow.runOut(api, partition("a"), "billing");

        assertThatThrownBy(() -> mine.execute("commit")).hasMessageContaining("the lease has expired");
        assertThat(lines("results")).isEmpty();
        assertThat(committed()).isEqualTo("0");
        assertThatThrownBy(() -> ack(api, request, "t1")).hasMessageContaining("the lease has expired");
    }

    @Test
    @DisplayName("transactions that acknowledge in opposite order do not deadlock")
    void transactionsThatAcknowledgeInOppositeOrderDoNotDeadlock() {
        var partitions = Stream.of("a", "b", "c")
                .sorted(Comparator.comparing((String name) -> api.shards().of(partition(name).id()))
                        .thenComparing(name -> partition(name).id().toString()))
                .toList();
        var requests = partitions.stream().map(name -> leasedFrom(name, "mine", "theirs")).toList();
        mine.execute("begin");
        requests.forEach(request -> ack(mine, request, "mine"));
        var theirs = database.newSession();
        theirs.execute("begin");
        requests.reversed().forEach(request -> ack(theirs, request, "theirs"));

        // Each has locked its first cursor, and waits for the one in the middle, if it locks in its own order.
        var holder = database.newSession();
        holder.execute("begin");
        holder.everywhere("select from cursor where partition_id = '" + requests.get(1).partition() + "' for update");
        var first = Step.start(mine, session -> commit(session)).untilItWaits(api);
        var second = Step.start(theirs, session -> commit(session)).untilItWaits(api);
        holder.execute("commit");

        assertThat(first.result()).isTrue();
        assertThat(second.result()).isTrue();
        assertThat(requests).allSatisfy(request -> assertThat(
                strings("select committed from queen.cursor where partition_id = '" + request.partition() + "'"))
                .containsExactly("2"));
        assertThat(strings("select count(*) from queen.commitment")).containsExactly("0");
    }

    private static boolean commit(Api session) {
        session.execute("commit");
        return true;
    }

    @Test
    void oneLostLeaseOfSeveralFailsTheWholeTransaction() {
        var kept = leasedFrom("a", "t1");
        var lost = leasedFrom("b", "t1");
        mine.execute("begin");
        ack(mine, kept, "t1");
        ack(mine, lost, "t1");
        CursorRow.runOut(api, partition("b"), "billing");

        assertThatThrownBy(() -> mine.execute("commit")).hasMessageContaining("the lease has expired");
        assertThat(committed()).isEqualTo("0");
    }

    @Test
    void theLastAttemptCanBeFinishedToo() {
        api.configure(queue.name(), Map.of("retry_limit", 1, "retry_delay_ms", 0));
        var request = leased("t1", "t2");
        api.nack(List.of(Api.Holder.of(request, "{}")), Api.Failed.of(0), Api.Failed.of(1));
        var alone = LeaseRequest.of(partition("a"), "billing", 10);
        assertThat(api.lease(alone).getFirst()).returns(1L, LeaseResult::end);

        ack(mine, alone, "t1");

        assertThat(committed()).isEqualTo("1");
        assertThat(api.lease(LeaseRequest.of(partition("a"), "billing", 10)).getFirst()).returns(1L, LeaseResult::first)
                .returns(1, LeaseResult::attempts).returns(true, LeaseResult::isAlone);
    }

    private LeaseRequest leased(String... transactionIds) {
        return leasedFrom("a", transactionIds);
    }

    private LeaseRequest leasedFrom(String name, String... transactionIds) {
        for (var id : transactionIds) {
            push(api, name, "1", id);
        }
        api.openCursors(new Api.Opening(partition(name).id(), "billing", null));
        var request = LeaseRequest.of(partition(name), "billing", 10);
        assertThat(api.lease(request).getFirst().isLeased()).isTrue();
        return request;
    }

    private void ack(Api session, LeaseRequest request, String transactionId) {
        session.execute("select queen.ack('" + request.partition() + "', 'billing', '" + request.lease() + "', '"
                + transactionId + "')");
    }

    private String committed() {
        return strings("select committed from queen.cursor where group_name = 'billing' and partition_id = '"
                + partition("a").id() + "'").getFirst();
    }

    private String push(Api session, String partition, String payload, String transactionId) {
        return session.list(rows -> rows.getString(1), "select queen.push(?, ?, ?, ?)", queue.name(), partition,
                payload, transactionId).getFirst();
    }

    private List<String> strings(String sql) {
        return Rows.strings(api.connection(), sql);
    }

    private Partition partition(String name) {
        var id = strings("select " + api.schema() + ".partition_id('" + queue.id() + "', '" + name + "')").getFirst();
        return new Partition(queue.id(), queue.name(), UUID.fromString(id), name);
    }

    private List<String> lines(String partition) {
        return strings("select rtrim(convert_from(body, 'UTF8'), e'\\n') from queen.segment where partition_id = '"
                + partition(partition).id() + "' order by base");
    }

    private List<String> transactionIds(String partition) {
        return strings("select convert_from(body, 'UTF8')::json ->> 'transactionId' from queen.segment"
                + " where partition_id = '" + partition(partition).id() + "' order by base");
    }

    private static List<String> notifications(Api listener, int waitMs) throws Exception {
        var notifications = listener.connection().unwrap(PGConnection.class).getNotifications(waitMs);
        return notifications == null
                ? List.of()
                : List.of(notifications).stream().map(each -> each.getParameter()).toList();
    }
}
