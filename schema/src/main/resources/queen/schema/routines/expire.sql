create function :api.expire(partition_ids uuid[], group_names text[])
returns table (index int, is_dead boolean)
language plpgsql volatile
as $$
-- Promise:  ends each lease that ran out. The first unfinished message is charged with a failed delivery, and buried after
--           1 + retry_limit of them: a message that takes its consumer down with it does not go round forever. One that
--           was not alone in the lease may be innocent: it is delivered alone before it is buried.
-- Params:   arrays of equal length, each (lane, group) once.
-- Returns:  the input position of each lease that was ended, and whether a message was buried.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   queen.cursor, queen.failure, queen.dead_letter
#variable_conflict use_column
declare
    overdue             int[];
    overdue_partitions  uuid[];
    overdue_groups      text[];
    charged_partitions  uuid[];
    charged_groups      text[];
    charged_offsets     bigint[];
    are_alone           boolean[];
    reason constant     text := 'the lease ran out before the message was acknowledged';
    exhausted           int[];
    tries               int[];
begin
    with locked as (
        select i.index, i.partition_id, i.group_name, c.committed, c.acked, c.lease_until, c.lease_end
        from (
            select i.*
            from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
            order by i.partition_id, i.group_name
        ) i
        cross join lateral (
            select c.committed, c.acked, c.lease_id, c.lease_until, c.lease_end
            from queen.cursor c
            where c.partition_id = i.partition_id and c.group_name = i.group_name
            order by c.generation desc
            limit 1
            for update skip locked
        ) c
        where c.lease_id is not null
    ), judged as (
        -- Messages may have been removed unread since the lease was given.
        select l.*, coalesce((select upper(r) from unnest(l.acked) r where r @> greatest(l.committed, p.tail)),
                             greatest(l.committed, p.tail)) as first
        from locked l
        cross join lateral :api.partition_of(l.partition_id) p
        where l.lease_until <= clock_timestamp()
    )
    select array_agg(j.index::int), array_agg(j.partition_id), array_agg(j.group_name),
           array_agg(j.partition_id) filter (where j.first < j.lease_end),
           array_agg(j.group_name) filter (where j.first < j.lease_end),
           array_agg(j.first) filter (where j.first < j.lease_end),
           array_agg(int8multirange(int8range(j.first + 1, j.lease_end)) <@ coalesce(j.acked, '{}'))
               filter (where j.first < j.lease_end)
    into overdue, overdue_partitions, overdue_groups, charged_partitions, charged_groups, charged_offsets, are_alone
    from judged j;

    if overdue is null then
        return;
    end if;

    update queen.cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        retry_at = null,
        writes = c.writes + 1,
        generation = (c.writes + 1) / 256
    from unnest(overdue_partitions, overdue_groups) as o (partition_id, group_name)
    cross join lateral :api.cursor_of(o.partition_id, o.group_name) n
    where c.ctid = n.tid;

    if charged_offsets is not null then
        select array_agg(n.index order by n.index), array_agg(n.attempts order by n.index)
        into exhausted, tries
        from :api.count_failures(
            charged_partitions, charged_groups, charged_offsets, array_fill('failed'::text, array[cardinality(charged_offsets)]),
            array_fill(reason, array[cardinality(charged_offsets)]), false) n
        where n.is_dead
          and are_alone[n.index];
    end if;

    if exhausted is not null then
        perform :api.bury(
            array(select charged_partitions[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select charged_groups[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select charged_offsets[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            tries, array_fill(reason, array[cardinality(exhausted)]));
        perform from :api.advance(
            exhausted,
            array(select charged_partitions[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select charged_groups[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select int8multirange(int8range(charged_offsets[e], charged_offsets[e] + 1))
                  from unnest(exhausted) with ordinality u (e, o) order by o),
            array_fill(1, array[cardinality(exhausted)]));
    end if;

    return query
    select o.index, exists (
        select from unnest(exhausted) e where charged_partitions[e] = o.partition_id and charged_groups[e] = o.group_name)
    from unnest(overdue, overdue_partitions, overdue_groups) as o (index, partition_id, group_name);
end
$$;
