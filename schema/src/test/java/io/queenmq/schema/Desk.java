package io.queenmq.schema;

import java.util.List;

/** What operators ask and do, as SQL writes it: {@code :api} stands for the schema, and texts are quoted by hand. */
record Desk(Api api) {
    /** The document; null when there is nothing to be found. */
    String ask(String call) {
        return api.list(rows -> rows.getString(1), "select " + sql(call)).getFirst();
    }

    /** One value of the document, such as {@code total} or {@code messages,0,id}. */
    String ask(String call, String path) {
        return api.list(rows -> rows.getString(1), "select (" + sql(call) + ")::json #>> '{" + path + "}'").getFirst();
    }

    /** What each object of a list in the document says under this name. */
    List<String> each(String call, String list, String field) {
        return api.list(rows -> rows.getString(1), "select e ->> '" + field + "' from json_array_elements((" + sql(call)
                + ")::json #> '{" + list + "}') with ordinality as x (e, o) order by o");
    }

    /** A partition whose messages can be found by their transactionIds, each push a segment of its own. */
    Partition fill(Partition partition, String... transactionIds) {
        for (var id : transactionIds) {
            push(partition, id);
        }
        return partition;
    }

    /** One segment. */
    void push(Partition partition, String... transactionIds) {
        long head = Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
        api.push(new Api.Append(partition, head, Batch.of(transactionIds)));
        rehash(partition, head);
    }

    /** Batches of tests carry hashes of their own; from this offset on, those of the transactionIds take their place. */
    void rehash(Partition partition, long base) {
        api.in(partition, """
                update segment s set hashes = (
                    select string_agg(int8send(hashtextextended(f.transaction_id, 0)), '' order by l.o)
                    from string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\\n'), e'\\n') with ordinality as l (line, o)
                    cross join lateral :api.line_fields(l.line) f)
                where s.partition_id = '%s' and s.base >= %d"""
                .formatted(partition.id(), base).replace(":api", api.schema()));
    }

    List<String> audited(String action) {
        return Rows.strings(api.connection(),
                "select actor || ': ' || target from queen.audit where action = ? order by id",
                action);
    }

    private String sql(String call) {
        return ":api.".concat(call).replace(":api", api.schema());
    }
}
