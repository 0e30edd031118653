create function :api.expire(partition_ids uuid[], group_names text[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  ends each lease that ran out. The first unfinished message is charged with a failed delivery, and buried after
--           1 + retry_limit of them: a message that takes its consumer down with it does not go round forever.
-- Params:   arrays of equal length, each (lane, group) once.
-- Returns:  the input position of each lease that was ended.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   queen.cursor, queen.failure, queen.dead_letter
#variable_conflict use_column
declare
    overdue             int[];
    overdue_partitions  uuid[];
    overdue_groups      text[];
    overdue_offsets     bigint[];
    reason constant     text := 'the lease ran out before the message was acknowledged';
    exhausted           int[];
    tries               int[];
begin
    with locked as (
        select i.index, c.partition_id, c.group_name, c.committed, c.lease_until
        from unnest(partition_ids, group_names) with ordinality as i (partition_id, group_name, index)
        join queen.cursor c on c.partition_id = i.partition_id and c.group_name = i.group_name
        where c.lease_id is not null
        order by c.partition_id, c.group_name
        for update of c skip locked
    )
    select array_agg(l.index::int), array_agg(l.partition_id), array_agg(l.group_name), array_agg(greatest(l.committed, p.tail))
    into overdue, overdue_partitions, overdue_groups, overdue_offsets
    from locked l
    join queen.partition p on p.id = l.partition_id
    where l.lease_until <= clock_timestamp();

    if overdue is null then
        return;
    end if;

    update queen.cursor c
    set lease_id = null,
        lease_until = null,
        lease_end = null,
        retry_at = null
    from unnest(overdue_partitions, overdue_groups) as o (partition_id, group_name)
    where c.partition_id = o.partition_id
      and c.group_name = o.group_name;

    select array_agg(n.index order by n.index) filter (where n.is_exhausted),
           array_agg(n.attempts order by n.index) filter (where n.is_exhausted)
    into exhausted, tries
    from :api.count_failures(
        overdue_partitions, overdue_groups, overdue_offsets, array_fill(reason, array[cardinality(overdue)]), false) n;

    if exhausted is not null then
        perform :api.bury(
            array(select overdue_partitions[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select overdue_groups[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select overdue_offsets[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            tries, array_fill(reason, array[cardinality(exhausted)]));
        perform from :api.advance(
            exhausted,
            array(select overdue_partitions[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select overdue_groups[e] from unnest(exhausted) with ordinality u (e, o) order by o),
            array(select int8multirange(int8range(overdue_offsets[e], overdue_offsets[e] + 1))
                  from unnest(exhausted) with ordinality u (e, o) order by o),
            array_fill(1, array[cardinality(exhausted)]));
    end if;

    return query
    select o from unnest(overdue) o;
end
$$;
