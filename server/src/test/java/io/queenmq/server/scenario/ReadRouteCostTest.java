package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every route that reads accesses a bounded number of pages, with each of its filters, on a database with 60,000 partitions and two
 * million messages in one shard. The views over all shards must not increase the cost. The routes and their parameters are taken
 * from the OpenAPI document of the server.
 */
class ReadRouteCostTest {
    private static final int PARTITIONS = 60_000;

    /** The limit for a list page of a hundred rows with any filter, in pages of 8 kB. Repeated hits of the same page count. */
    private static final long PAGES_MAX = 10_000;

    /**
     * The limit for lists without a page size (1,000 partitions), for pages deep in a list, and for bounded searches. Reading
     * every partition by its key would access at least 120,000 pages.
     */
    private static final long LONG_PAGES_MAX = 100_000;

    private static final Pattern LONG = Pattern.compile("[^?]+|.*\\?(search|status|offset)=.*");

    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_SHARDS", "1", "STATS_INTERVAL_MS", "3600000",
            "METRICS_REPORT_INTERVAL_MS", "60000", "RETENTION_INTERVAL", "86400000", "EVICTION_INTERVAL", "86400000"));

    private static QueenClient queen;
    private static Map<String, String> values;

    @BeforeAll
    static void fill() {
        assumeTrue(server.select("show shared_preload_libraries").getFirst().contains("pg_stat_statements"),
                "pages are counted by pg_stat_statements, which this PostgreSQL does not load");
        server.update("create extension pg_stat_statements");
        queen = server.client();
        queen.configure("big", "{}");
        queen.push("big", "partition-1", "first");
        queen.pop("big", "consumerGroup=workers", "subscriptionMode=all");
        String queueId = server.select("select id from queen.queue").getFirst();
        UUID partitionId = UUID
                .fromString(server.select("select id from queen.partition where name = 'partition-1'").getFirst());
        fillPartitions(queueId, partitionId);
        fillDeadLetters(queueId, partitionId);
        fillStreams(partitionId);
        server.update("vacuum analyze");
        server.updateEverywhere("select " + api() + ".refresh_depths('no-queue', true, 0)");
        server.update("vacuum analyze");
        values = Map.ofEntries(Map.entry("queue", "big"), Map.entry("group", "workers"),
                Map.entry("id", partitionId + ""), Map.entry("messageId", "00000000-0000-7000-8000-000000000000"),
                Map.entry("partitionId", partitionId + ""), Map.entry("transactionId", "deep-77"),
                Map.entry("name", "trace-1"), Map.entry("partition", "partition-1"),
                Map.entry("consumerGroup", "workers"), Map.entry("error", "error%203"), Map.entry("status", "pending"),
                Map.entry("sort", "lag"), Map.entry("search", "no%20such%20partition"), Map.entry("limit", "100"),
                Map.entry("offset", "1000"), Map.entry("minLagSeconds", "3600"),
                Map.entry("from", Instant.now().minus(Duration.ofDays(6)).toString()),
                Map.entry("to", Instant.now().toString()), Map.entry("interval", "hour"), Map.entry("names", "current"),
                Map.entry("actor", "operator"), Map.entry("action", "configure"), Map.entry("target", "big"),
                Map.entry("before", "5"), Map.entry("hostname", "here"), Map.entry("workerId", "worker-0"),
                Map.entry("ns", "other"), Map.entry("namespace", "other"), Map.entry("task", "nothing"),
                Map.entry("prefix", "key-9"));
    }

    /** Stores a million messages in many partitions, and one million in the first partition. */
    private static void fillPartitions(String queueId, UUID partitionId) {
        server.updateEverywhere("alter table segment alter column body set compression pglz");
        server.updateEverywhere("alter table segment alter column body set storage extended");
        server.updateEverywhere("""
                insert into partition (id, queue_id, name, head, last_push_at, active_at)
                select %1$s.partition_id('%2$s', 'partition-' || i), '%2$s', 'partition-' || i, 20,
                       now() - i * interval '1 second', now() - i * interval '1 second'
                from generate_series(2, %3$d) i""".formatted(api(), queueId, PARTITIONS));
        server.updateEverywhere(
                segments("shallow", 20, "select id as partition_id, 0::bigint as base, last_push_at as created_at"
                        + " from partition where head = 20"));
        server.updateEverywhere(
                segments("deep", 100, "select '" + partitionId + "'::uuid as partition_id, 1 + 100 * i as base,"
                        + " now() - interval '1 hour' as created_at from generate_series(0::bigint, 9999) i"));
        server.updateEverywhere("update partition set head = 1000001 where name = 'partition-1'");
        server.updateEverywhere("""
                insert into cursor (partition_id, group_name, committed)
                select id, g, case when name ~ '[1-9]$' then 20 else 5 end
                from partition, unnest(array['workers', 'others']) g where head = 20""");
        server.updateEverywhere(
                "insert into partition_key (id, queue_id, name) select id, queue_id, name from partition"
                        + " on conflict do nothing");
        server.updateEverywhere(
                "insert into cursor_key (partition_id, group_name) select partition_id, group_name from cursor"
                        + " on conflict do nothing");
    }

    /** Stores a stream query with a cursor in every partition and much state in one of them. */
    private static void fillStreams(UUID partitionId) {
        server.update(
                "insert into queen.stream_query (name, source_queue, config_hash) values ('trace-1', 'big', 'hash')");
        server.updateEverywhere("""
                insert into stream_partition (query_id, partition_id, partition_name, state_rows)
                select q.id, p.id, p.name, 1 from queen.stream_query q, partition p""");
        server.updateEverywhere("""
                insert into stream_state (state_id, partition_id, key, value, is_sealed, window_end, updated_at)
                select q.state_id, '%s', 'key-' || i, '1', false, i, now()
                from queen.stream_query q, generate_series(1, 100000) i""".formatted(partitionId));
    }

    /** Returns the schema of the routines. */
    private static String api() {
        return server.select("select nspname from pg_namespace where starts_with(nspname, 'queen_api_')").getFirst();
    }

    private static String segments(String prefix, int count, String places) {
        return """
                with content as (
                    select string_agg(int8send(hashtextextended('%1$s-' || i, 0)), ''::bytea order by i) as hashes,
                           string_agg(convert_to('{"id":"00000000-0000-7000-8000-000000000000","transactionId":"%1$s-' || i
                               || '","traceId":null,"producerSub":null,"data":{"i":' || i || '}}' || chr(10), 'UTF8'), ''::bytea
                               order by i) as body
                    from generate_series(0, %2$d - 1) i
                )
                insert into segment (partition_id, base, count, created_at, hashes, body)
                select p.partition_id, p.base, %2$d, p.created_at, c.hashes, c.body from content c, (%3$s) p"""
                .formatted(prefix, count, places);
    }

    private static void fillDeadLetters(String queueId, UUID partitionId) {
        server.updateEverywhere("""
                insert into dead_letter (partition_id, group_name, message_offset, queue_id, line, error, attempts,
                    created_at, failed_at)
                select '%s', 'workers', i, '%s', convert_to('{"transactionId":"dead-' || i || '","data":1}', 'UTF8'),
                    'error ' || i %% 7, 3, now(), now() from generate_series(1, 20000) i""".formatted(partitionId,
                queueId));
        server.update("insert into queen.audit (actor, action, target) select 'admin', 'seek', 'big'"
                + " from generate_series(1, 50000)");
        for (int i = 0; i < 3; i++) {
            queen.post("/api/v1/traces", "{\"partitionId\":\"" + partitionId
                    + "\",\"transactionId\":\"first\",\"data\":{}," + "\"traceNames\":[\"trace-" + i + "\"]}");
        }
    }

    @Test
    void everyRouteReadsABoundedNumberOfPages() {
        List<String> tooMany = new ArrayList<>();
        int routes = 0;
        for (Map.Entry<String, JsonNode> path : queen.get("/openapi.json").json().get("paths").properties()) {
            JsonNode route = path.getValue().get("get");
            if (route != null && !path.getKey().startsWith("/api/v1/pop")) {
                routes++;
                for (String address : addresses(path.getKey(), route.path("parameters"))) {
                    long most = LONG.matcher(address).matches() ? LONG_PAGES_MAX : PAGES_MAX;
                    long pages = pages(address, most);
                    if (pages > most) {
                        tooMany.add(address + " reads " + pages + " pages");
                    }
                }
            }
        }
        assertThat(routes).isGreaterThan(40);
        assertThat(tooMany).isEmpty();
        assertThat(pages("/api/v1/messages?queue=big", PAGES_MAX)).as("counting works").isPositive();
    }

    /** Returns the route without parameters, and with a page of a hundred rows and each of its parameters alone. */
    private static List<String> addresses(String path, JsonNode parameters) {
        String address = VARIABLE.matcher(path).replaceAll(variable -> value(variable.group(1)));
        List<String> names = new ArrayList<>();
        for (JsonNode parameter : parameters) {
            if (parameter.get("in").asText().equals("query")) {
                names.add(parameter.get("name").asText());
            }
        }
        List<String> all = new ArrayList<>(List.of(address));
        for (String name : names) {
            if (!name.equals("after")) {
                String page = names.contains("limit") && !name.equals("limit") ? "&limit=100" : "";
                String ofOneQueue = name.equals("sort") && path.endsWith("/partitions") ? "&queue=big" : "";
                all.add(address + "?" + name + "=" + value(name) + page + ofOneQueue);
            }
        }
        return all;
    }

    private static String value(String name) {
        assertThat(values).as("a value for every parameter").containsKey(name);
        return values.get(name);
    }

    /** Returns the accessed pages. Above the limit, the request is measured twice more and the minimum is used, because servers query in the background. */
    private static long pages(String address, long most) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3 && least > most; i++) {
            server.select("select pg_stat_statements_reset()");
            Answer answer = queen.get(address);
            assertThat(answer.status()).as(address + ": " + answer.body()).isIn(200, 404);
            least = Math.min(least,
                    Long.parseLong(server.select("select coalesce(sum(shared_blks_hit + shared_blks_read), 0)"
                            + " from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = current_database()"
                            + " and query not like '%pg_stat_statements%'").getFirst()));
        }
        return least;
    }
}
