create function :api.lease_plain(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], lease_seconds int[],
    is_auto_ack boolean, plains boolean[], at timestamptz)
returns table (index bigint, first bigint, "end" bigint, head bigint)
language plpgsql volatile
as $$
-- Promise:  leases the lanes that are plain and about which nothing is unusual: nobody holds them, nothing failed, nothing was
--           acked out of order or removed, nobody paused them. Most lanes are like that, and one short statement does for them.
-- Params:   as in lease; at: the moment by which leases are judged.
-- Returns:  one row per lane that was leased.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   queen.cursor
#variable_conflict use_column
begin
    return query
    with locked as (
        select i.index, c.partition_id, c.group_name, i.lease_id, i.lease_s, p.head,
               greatest(c.committed, p.tail) as first, least(greatest(c.committed, p.tail) + i.batch, p.head) as "end"
        from unnest(partition_ids, group_names, lease_ids, batches, lease_seconds, plains)
             with ordinality as i (partition_id, group_name, lease_id, batch, lease_s, is_plain, index)
        join queen.cursor c on c.partition_id = any (array[i.partition_id]) and c.group_name = i.group_name
        join queen.partition p on p.id = any (array[i.partition_id])
        where i.is_plain
          and c.lease_id is null
          and c.acked is null
          and c.retry_at is null
          and not c.is_failing
          and p.removed is null
          and not p.is_paused
          and greatest(c.committed, p.tail) < p.head
        order by i.partition_id, i.group_name
        for update of c skip locked
    ), given as (
        update queen.cursor c
        set committed = case when is_auto_ack then l."end" else l.first end,
            completed_count = case when is_auto_ack then c.completed_count + l."end" - l.first else c.completed_count end,
            last_ack_at = case when is_auto_ack then at else c.last_ack_at end,
            lease_id = case when not is_auto_ack then l.lease_id end,
            lease_until = case when not is_auto_ack then at + make_interval(secs => l.lease_s) end,
            lease_end = case when not is_auto_ack then l."end" end
        from locked l
        where c.partition_id = any (array[l.partition_id])
          and c.group_name = l.group_name
        returning l.index, l.first, l."end", l.head
    )
    select g.index, g.first, g."end", g.head
    from given g;
end
$$;
