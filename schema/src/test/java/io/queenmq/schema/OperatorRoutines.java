package io.queenmq.schema;

import java.util.List;

/** Calls routines for operators with SQL text: {@code :api} is the schema, and texts are quoted by the caller. */
record OperatorRoutines(Api api) {
    /** Returns the document; null if there is none. */
    String ask(String call) {
        return api.list(rows -> rows.getString(1), "select " + sql(call)).getFirst();
    }

    /** Returns one value of the document, such as {@code total} or {@code messages,0,id}. */
    String ask(String call, String path) {
        return api.list(rows -> rows.getString(1), "select (" + sql(call) + ")::json #>> '{" + path + "}'").getFirst();
    }

    /** Returns this field of each object of a list in the document. */
    List<String> each(String call, String list, String field) {
        return api.list(rows -> rows.getString(1), "select e ->> '" + field + "' from json_array_elements((" + sql(call)
                + ")::json #> '{" + list + "}') with ordinality as x (e, o) order by o");
    }

    /** Fills a partition with messages that can be found by their transactionIds, each in its own segment. */
    Partition fill(Partition partition, String... transactionIds) {
        for (var id : transactionIds) {
            push(partition, id);
        }
        return partition;
    }

    /** Pushes one segment. */
    void push(Partition partition, String... transactionIds) {
        long head = Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
        api.push(new Api.Append(partition, head, Batch.of(transactionIds)));
        rehash(partition, head);
    }

    /** Replaces the artificial hashes of test batches from this offset on by those of the transactionIds. */
    void rehash(Partition partition, long base) {
        api.in(partition, """
                update segment s set hashes = (
                    select string_agg(int8send(hashtextextended(f.transaction_id, 0)), '' order by l.o)
                    from string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\\n'), e'\\n') with ordinality as l (line, o)
                    cross join lateral :api.line_fields(l.line) f)
                where s.partition_id = '%s' and s.base >= %d""".formatted(partition.id(), base).replace(":api",
                api.schema()));
    }

    List<String> audited(String action) {
        return Rows.strings(api.connection(),
                "select actor || ': ' || target from queen.audit where action = ? order by id", action);
    }

    private String sql(String call) {
        return ":api.".concat(call).replace(":api", api.schema());
    }
}
