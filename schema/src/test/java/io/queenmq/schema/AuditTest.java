package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes are audited, with the actor and the state before and after. */
class AuditTest {
    private static final String ONE_TARGET = "list_audit(null, null, '%s', null, null, %s, %d)";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void configureRecordsOnlyItsChanges() {
        api.configure("orders", Map.of("retry_limit", 7));
        api.configure("orders", Map.of("retry_limit", 7));
        api.configure("orders", Map.of("retry_limit", 8));

        assertThat(select("select actor || ' ' || action || ' ' || coalesce(before ->> 'retry_limit', 'new') || ' to '"
                + " || (after ->> 'retry_limit') from queen.audit where target = 'queue orders' order by id"))
                .containsExactly("tester configure new to 7", "tester configure 7 to 8");
    }

    @Test
    void deletingAQueueRecordsItsOptions() {
        api.configure("doomed", Map.of("priority", 3));
        api.deleteQueue("doomed");
        api.deleteQueue("doomed");

        assertThat(select("select (before ->> 'priority') || ' ' || (before ->> 'partitions') || ' ' || (after is null)"
                + " from queen.audit where target = 'queue doomed' and action = 'delete'")).containsExactly("3 1 true");
    }

    @Test
    void recordsArePagedLatestFirst() {
        for (int i = 1; i <= 5; i++) {
            record("paul", "skip", "partition of pages", i);
        }
        var next = "null";
        for (var page : List.of("[5, 4]", "[3, 2]", "[1]")) {
            var document = "(select " + api.schema() + "." + ONE_TARGET.formatted("partition of pages", next, 2)
                    + ")::json";
            assertThat(select(
                    "select json_agg((r ->> 'after')::int) from json_array_elements(" + document + " -> 'records') r"))
                    .containsExactly(page);
            next = select("select coalesce(" + document + " -> 'pagination' ->> 'next', 'null')").getFirst();
        }
        assertThat(next).isEqualTo("null");
    }

    @Test
    void everyFilterIsObeyed() {
        record("paula", "seek", "partition of filters", 1);
        record("otto", "pause", "partition of others", 2);

        assertThat(found("'paula', null, null, null, null")).containsExactly("1");
        assertThat(found("null, 'pause', null, null, null")).containsExactly("2");
        assertThat(found("null, null, 'partition of filters', null, null")).containsExactly("1");
        assertThat(found("'paula', null, null, now() + interval '1 hour', null")).isEmpty();
        assertThat(found("'paula', null, null, null, now() - interval '1 hour'")).isEmpty();
        assertThat(found("'paula', null, null, now() - interval '1 hour', now() + interval '1 hour'")).hasSize(1);
    }

    @Test
    void auditSearchesUseAnIndex() {
        api.execute("insert into queen.audit (actor, action, target) select 'a' || i % 1000, 'x', 't' || i from"
                + " generate_series(1, 50000) i");
        api.execute("analyze queen.audit");

        assertThat(buffers("a.actor = 'a7'")).isLessThan(200);
        assertThat(buffers("a.target = 't77'")).isLessThan(20);
        assertThat(buffers("a.at > now() + interval '1 hour'")).isLessThan(20);
    }

    private long buffers(String condition) {
        var plan = String.join("\n", select("explain (analyze, buffers) select a.id from queen.audit a where "
                + condition + " order by a.id desc limit 100"));
        var hits = java.util.regex.Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?").matcher(plan);
        assertThat(hits.find()).as(plan).isTrue();
        return number(hits.group(1)) + number(hits.group(2));
    }

    private static long number(String text) {
        return text == null ? 0 : Long.parseLong(text);
    }

    private List<String> found(String arguments) {
        return select("select r ->> 'after' from json_array_elements((select " + api.schema() + ".list_audit("
                + arguments + ", null, 10))::json -> 'records') r");
    }

    private void record(String actor, String action, String target, int after) {
        api.execute("select " + api.schema() + ".audit('" + actor + "', '" + action + "', '" + target + "', null, '"
                + after + "')");
    }

    private List<String> select(String sql) {
        return Rows.strings(api.connection(), sql);
    }
}
