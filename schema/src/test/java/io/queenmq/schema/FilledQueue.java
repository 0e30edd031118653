package io.queenmq.schema;

/**
 * The contents of a queue for measurements: partitions, segments in each, messages in those, and groups with cursors,
 * of which the first has read everything and the others nothing.
 */
record FilledQueue(int partitions, int segments, int messages, int groups) {
    long head() {
        return (long) segments * messages;
    }

    /** Uses set-based statements; the last push to every partition was an hour ago. */
    void store(Api api, Queue queue, SampleMessages orders) {
        api.execute("""
                insert into queen.partition (id, queue_id, name, head, last_push_at, active_at)
                select %1$s.partition_id('%2$s', 'partition-' || i), '%2$s', 'partition-' || i, %3$d,
                       now() - interval '1 hour', now() - interval '1 hour'
                from generate_series(0, %4$d) i""".formatted(api.schema(), queue.id(), head(), partitions - 1));
        if (head() > 0) {
            var batch = orders.batch(messages);
            api.list(_ -> null, """
                    with stored as (
                        insert into queen.segment (partition_id, base, count, created_at, hashes, body)
                        select p.id, b::bigint * %1$d, %1$d, p.last_push_at, ?, ?
                        from generate_series(0, %2$d) b, queen.partition p
                        where p.queue_id = '%3$s' and p.head > 0
                        returning 1)
                    select count(*) from stored""".formatted(messages, segments - 1, queue.id()), batch.hashes(),
                    batch.body());
        }
        api.execute("""
                insert into queen.cursor (partition_id, group_name, committed)
                select p.id, case g when 0 then '%1$s' else 'idle-' || g end, case g when 0 then p.head else 0 end
                from queen.partition p, generate_series(0, %2$d) g
                where p.queue_id = '%3$s' and p.last_push_at is not null""".formatted(Traffic.GROUP, groups - 1,
                queue.id()));
        writeKeys(api);
        api.execute("vacuum analyze");
        api.execute("checkpoint");
    }

    /** Inserts the keys of partitions and cursors that a test has inserted directly. */
    static void writeKeys(Api api) {
        api.everywhere("insert into partition_key (id, queue_id, name) select id, queue_id, name from partition"
                + " on conflict do nothing");
        api.everywhere("insert into cursor_key (partition_id, group_name) select partition_id, group_name from cursor"
                + " on conflict do nothing");
    }
}
