package io.queenmq.schema;

import java.util.List;

/**
 * The expected numbers, counted message by message from {@code queen.message}, the cursors and the subscriptions, and
 * the numbers of the sums. Each line is about one queue, or one group on a queue.
 */
record NumbersTruth(Api api) {
    NumbersTruth {
        // Plans by key are unsuitable for queries over all rows.
        api.execute("reset all");
    }

    /** The state of each group in each partition, counted from every unfinished message. */
    private static final String STANDING = """
            create temp table standing as
            with stored as (
                select p.*, q.name as queue, q.namespace, q.task, q.delayed_processing_s, q.window_buffer_s,
                       least(nullif(q.max_wait_time_s, 0), case when q.ttl_s not in (0, 3600) then q.ttl_s end) as age_s
                from queen.partition p join queen.queue q on q.id = p.queue_id
            ), owing as (
                select c.partition_id, c.group_name, c.committed, c.acked, c.lease_until, c.lease_end, c.retry_at,
                       c.completed_count + c.dead_count as finished, null::timestamptz as from_at
                from queen.cursor c
                union all
                (select distinct on (l.id, s.group_name) l.id, s.group_name, null, null, null, null, null, 0,
                       greatest(s.from_at, s.subscribed_at - make_interval(secs => l.age_s))
                from stored l
                join queen.subscription s on s.queue_name = l.queue
                    or s.queue_name = '' and s.namespace in ('', l.namespace) and s.task in ('', l.task)
                where not s.is_preset
                  and not exists (select from queen.cursor c where c.partition_id = l.id and c.group_name = s.group_name)
                order by l.id, s.group_name, s.queue_name desc)
            ), unread as (
                select o.partition_id, o.group_name, m."offset", m.created_at,
                       coalesce(o.lease_until > clock_timestamp() and m."offset" < o.lease_end, false) as is_leased
                from owing o
                join queen.message m on m.partition_id = o.partition_id
                where case when o.committed is null then o.from_at is null or m.created_at >= o.from_at
                           else m."offset" >= o.committed and not coalesce(o.acked @> m."offset", false) end
            )
            select l.queue, l.queue_id, l.id, l.is_paused, o.group_name, o.finished, count(u) as pending, count(u) filter (where u.is_leased) as processing,
                   greatest((array_agg(u.created_at order by u."offset"))[1] + make_interval(secs => l.delayed_processing_s),
                            case when l.window_buffer_s > 0 then l.last_push_at + make_interval(secs => l.window_buffer_s) end,
                            o.retry_at) as due_at
            from stored l
            join owing o on o.partition_id = l.id
            left join unread u on u.partition_id = l.id and u.group_name = o.group_name
            group by l.queue, l.queue_id, l.id, l.is_paused, l.last_push_at, l.delayed_processing_s, l.window_buffer_s, o.group_name, o.finished, o.retry_at""";

    /** The stored messages of each partition. */
    private static final String PARTITION = """
            create temp table kept as
            select q.name as queue, p.id, count(m.id) as total
            from queen.partition p
            join queen.queue q on q.id = p.queue_id
            left join queen.message m on m.partition_id = p.id
            group by q.name, p.id""";

    private static final String QUEUE = "'%s: %s partitions, %s total, %s pending, %s processing'";

    /** Partitions, partitions behind, unread, finished, and the tenth of a second at which the oldest unread message was due. */
    private static final String GROUP = "'%s/%s: %s partitions, %s lagging, %s pending, %s finished, oldest %s'";

    /** Counts everything; later results refer to this time. */
    void look() {
        api.execute("drop table if exists standing, kept");
        api.execute(STANDING);
        api.execute(PARTITION);
    }

    List<String> queues() {
        return Rows.strings(api.connection(), "select format(" + QUEUE + """
                , l.queue, count(*), sum(l.total), sum(coalesce(s.pending - s.processing, l.total)), sum(coalesce(s.processing, 0)))
                from kept l
                left join (
                    select distinct on (s.id) s.id, s.pending, s.processing from standing s order by s.id, s.pending desc, s.processing desc
                ) s on s.id = l.id
                group by l.queue order by 1""");
    }

    List<String> groups() {
        return Rows.strings(api.connection(), "select format(" + GROUP + """
                , s.queue, s.group_name, count(*), count(*) filter (where s.pending > 0), sum(s.pending), sum(s.finished),
                date_bin('100 ms', min(s.due_at) filter (where s.pending > 0), 'epoch'))
                from standing s group by s.queue, s.group_name order by 1""");
    }

    List<String> countedQueues() {
        return Rows.strings(api.connection(), "select format(" + QUEUE + """
                , q.name, d.partitions, d.total, d.pending, d.processing)
                from queen.queue_depth d join queen.queue q on q.id = d.queue_id where d.partitions > 0 order by 1""");
    }

    List<String> countedGroups() {
        return Rows.strings(api.connection(), "select format(" + GROUP + """
                , q.name, g.group_name, g.partitions, g.lagging, g.pending, g.finished, g.oldest_at)
                from queen.group_depth g join queen.queue q on q.id = g.queue_id order by 1""");
    }

    /** The values of list_queues. */
    List<String> listedQueues() {
        return Rows.strings(api.connection(), "select format(" + QUEUE + """
                , e ->> 'name', e ->> 'partitions', e #>> '{messages,total}', e #>> '{messages,pending}', e #>> '{messages,processing}')
                from json_array_elements(:api.list_queues(1000, 0)::json -> 'queues') e
                where (e ->> 'partitions')::int > 0 order by 1""".replace(":api", api.schema()));
    }

    /** The values of status_queues, which counts leased messages as pending, too. */
    List<String> statusQueues() {
        return Rows.strings(api.connection(), "select format(" + QUEUE + """
                , e ->> 'name', e ->> 'partitions', e #>> '{messages,total}',
                (e #>> '{messages,pending}')::int - (e #>> '{messages,processing}')::int, e #>> '{messages,processing}')
                from json_array_elements(:api.status_queues(null, null, 1000, 0)::json -> 'queues') e
                where (e ->> 'partitions')::int > 0 order by 1""".replace(":api", api.schema()));
    }

    /** Unread messages of groups, as in list_groups, without groups that have nothing to read. */
    List<String> listedLags() {
        return Rows.strings(api.connection(), """
                select format('%s/%s: %s in %s', e ->> 'queueName', e ->> 'name', e ->> 'totalLag', e ->> 'partitionsWithLag')
                from json_array_elements(:api.list_groups(1000, 0)::json) e
                where (e ->> 'totalLag')::int > 0 order by 1""".replace(":api", api.schema()));
    }

    List<String> lags() {
        return Rows.strings(api.connection(), """
                select format('%s/%s: %s in %s', s.queue, s.group_name, sum(s.pending), count(*) filter (where s.pending > 0))
                from standing s group by s.queue, s.group_name having sum(s.pending) > 0 order by 1""");
    }

    /**
     * Unfinished messages of queues and groups, and groups with messages overdue for more than an hour, as in
     * Prometheus.
     */
    List<String> exported() {
        return Rows.strings(api.connection(), """
                with exposition as (select :api.prometheus(1000) as text)
                select format('%s: %s', m[1], m[2])
                from exposition, regexp_matches(text, '\\nqueen_queue_depth{queue="([^"]*)"} (\\d+)', 'g') m
                where m[2] <> '0'
                union all
                select format('%s/%s: %s', m[1], m[2], m[3])
                from exposition, regexp_matches(text, '\\nqueen_group_lag_messages{queue="([^"]*)",group="([^"]*)"} (\\d+)', 'g') m
                where m[3] <> '0'
                union all
                select format('%s/%s is late', m[1], m[2])
                from exposition, regexp_matches(text, '\\nqueen_group_oldest_unread_seconds{queue="([^"]*)",group="([^"]*)"} ([0-9.]+)', 'g') m
                where m[3]::numeric > 3600
                order by 1""".replace(":api", api.schema()));
    }

    List<String> trueExported() {
        return Rows.strings(api.connection(), """
                select format('%s: %s', l.queue, sum(coalesce(s.pending, l.total)))
                from kept l
                left join (select s.id, max(s.pending) as pending from standing s group by s.id) s on s.id = l.id
                group by l.queue having sum(coalesce(s.pending, l.total)) > 0
                union all
                select format('%s/%s: %s', s.queue, s.group_name, sum(s.pending))
                from standing s group by s.queue, s.group_name having sum(s.pending) > 0
                union all
                select format('%s/%s is late', s.queue, s.group_name)
                from standing s
                join queen.queue q on q.id = s.queue_id and not q.is_paused
                where s.pending > 0 and s.due_at < clock_timestamp() - interval '1 hour'
                  and not exists (select from queen.group_pause g where g.queue_id = s.queue_id and g.group_name = s.group_name)
                group by s.queue, s.group_name
                order by 1""");
    }

    /** Partitions in which a group has messages overdue for more than an hour, and their number. */
    List<String> lagging() {
        return Rows.strings(api.connection(), """
                select format('%s/%s: %s', s.id, s.group_name, s.pending)
                from standing s
                where s.pending > 0 and s.due_at < clock_timestamp() - interval '1 hour' and not s.is_paused
                  and not exists (select from queen.group_pause g where g.queue_id = s.queue_id and g.group_name = s.group_name)
                order by 1""");
    }

    List<String> listedLagging() {
        return Rows.strings(api.connection(), """
                select format('%s/%s: %s', e ->> 'partition_id', e ->> 'consumer_group', e ->> 'offset_lag')
                from json_array_elements(:api.list_lagging(3600, 1000)::json) e order by 1""".replace(":api",
                api.schema()));
    }

    /** Partitions, total, pending and processing over all queues: as sums of lines, and as three pages show them. */
    List<String> pages() {
        return Rows.strings(api.connection(), """
                with page as (
                    select :api.overview()::json as overview, :api.status(null, null, null, null, null)::json as status,
                           :api.list_namespaces()::json as namespaces, :api.list_tasks()::json as tasks
                )
                select format('overview: %s partitions, %s total, %s pending, %s processing', overview ->> 'partitions',
                              overview #>> '{messages,total}', overview #>> '{messages,pending}', overview #>> '{messages,processing}')
                from page
                union all
                select format('status: %s total, %s pending, %s processing', status #>> '{messages,total}',
                              status #>> '{messages,pending}', status #>> '{messages,processing}')
                from page
                union all
                select format('%s: %s partitions, %s total, %s pending', x.name, sum((e ->> 'partitions')::int),
                              sum((e #>> '{messages,total}')::int), sum((e #>> '{messages,pending}')::int))
                from page
                cross join lateral (values ('namespaces', namespaces -> 'namespaces'), ('tasks', tasks -> 'tasks')) as x (name, list)
                cross join lateral json_array_elements(x.list) e
                group by x.name""".replace(":api", api.schema())).stream().sorted().toList();
    }

    List<String> truePages() {
        return Rows.strings(api.connection(), """
                with sums as (
                    select coalesce(sum((f[1])::int), 0) as partitions, coalesce(sum((f[2])::int), 0) as total,
                           coalesce(sum((f[3])::int), 0) as pending, coalesce(sum((f[4])::int), 0) as processing
                    from unnest(?::text[]) as u (line)
                    cross join lateral regexp_match(u.line, ': (\\d+) partitions, (\\d+) total, (\\d+) pending, (\\d+) processing$') as f
                )
                select format('overview: %s partitions, %s total, %s pending, %s processing', partitions, total, pending, processing) from sums
                union all
                select format('status: %s total, %s pending, %s processing', total, pending, processing) from sums
                union all
                select format('%s: %s partitions, %s total, %s pending', n, partitions, total, pending)
                from sums, unnest('{namespaces,tasks}'::text[]) n""",
                (Object) new Args<>(api.connection(), queues()).texts(line -> line)).stream().sorted().toList();
    }
}
