create function :api.advance_past(partition_ids uuid[], group_names text[], ends bigint[], errors text[])
returns bigint
language plpgsql volatile
as $$
-- Promise:  finishes every message before end for each group. Unfinished messages are dead-lettered with the error, or only counted as
--           expired if the error is null. Removed messages and those before the tail are not counted.
-- Params:   arrays of equal length, each (partition, group) once; the caller has locked the cursor rows, and no live lease covers a message
--           before end.
-- Returns:  the number of messages that were unfinished, over all groups, without removed ones.
-- Locks:    none of its own.
-- Writes:   cursor, failure, dead_letter
#variable_conflict use_column
declare
    indexes         int[];
    partitions      uuid[];
    groups          text[];
    passed          int8multirange[];
    dead            int[];
    removed         int[];
    expired         bigint[];
    acks            timestamptz[];
    dead_partitions uuid[];
    dead_groups     text[];
    firsts          bigint[];
    dead_ends       bigint[];
    kept            int8multirange[];
    reasons         text[];
begin
    with unfinished as (
        select i.index, c.partition_id, c.group_name, c.last_ack_at, i.error, g.passed,
               coalesce((select sum(upper(r) - lower(r)) from unnest(g.passed * g.gone - coalesce(c.acked, '{}')) r), 0) as removed,
               coalesce((select sum(upper(r) - lower(r)) from unnest(g.passed - g.gone - coalesce(c.acked, '{}')) r), 0) as count
        from unnest(partition_ids, group_names, ends, errors) with ordinality as i (partition_id, group_name, "end", error, index)
        join partition p on p.id = any (array[i.partition_id])
        join cursor c on c.partition_id = any (array[i.partition_id]) and c.group_name = i.group_name
        cross join lateral (
            select int8multirange(int8range(c.committed, i."end")) as passed,
                   coalesce(p.removed, '{}') + int8multirange(int8range(null, p.tail)) as gone
        ) g
        where c.committed < i."end"
    )
    select array_agg(u.index::int), array_agg(u.partition_id), array_agg(u.group_name), array_agg(u.passed),
           array_agg(case when u.error is null then 0 else u.count end::int), array_agg(u.removed::int),
           array_agg(case when u.error is null then u.count else 0 end), array_agg(u.last_ack_at)
    into indexes, partitions, groups, passed, dead, removed, expired, acks
    from unfinished u;

    if indexes is null then
        return 0;
    end if;

    select array_agg(c.partition_id), array_agg(c.group_name), array_agg(greatest(c.committed, p.tail)), array_agg(i."end"),
           array_agg(coalesce(c.acked, '{}') + coalesce(p.removed, '{}')), array_agg(i.error)
    into dead_partitions, dead_groups, firsts, dead_ends, kept, reasons
    from unnest(partition_ids, group_names, ends, errors) as i (partition_id, group_name, "end", error)
    join partition p on p.id = any (array[i.partition_id])
    join cursor c on c.partition_id = any (array[i.partition_id]) and c.group_name = i.group_name
    where i.error is not null
      and c.committed < i."end";
    if dead_partitions is not null then
        perform :api.insert_expired_letters(dead_partitions, dead_groups, firsts, dead_ends, kept, reasons);
    end if;

    perform from :api.advance(indexes, partitions, groups, passed, dead, removed);

    -- advance counts expired messages as completed and sets last_ack_at; both are corrected here.
    update cursor c
    set completed_count = c.completed_count - x.expired,
        expired_count = c.expired_count + x.expired,
        last_ack_at = x.last_ack_at
    from unnest(partitions, groups, expired, acks) as x (partition_id, group_name, expired, last_ack_at)
    where c.partition_id = any (array[x.partition_id])
      and c.group_name = x.group_name;

    return (select sum(d) from unnest(dead) d) + (select sum(e) from unnest(expired) e);
end
$$;
