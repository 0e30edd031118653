create function :api.count_unfinished(queue_id uuid)
returns bigint
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the number of messages of the queue that not every group of their partition has finished; in a partition without
--           groups, all messages. Removed messages do not count.
-- Params:   the queue; its partitions in every shard count, no matter which shard is selected.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shard   text;
    here    bigint;
    total   bigint := 0;
begin
    foreach shard in array :api.shards() loop
        perform :api.select_shard(shard);
        select coalesce(sum(p.head - p.tail - coalesce((
                   select sum(upper(r) - lower(r)) from unnest(
                       (coalesce(f.finished, '{}') + coalesce(p.removed, '{}')) * int8multirange(int8range(p.tail, p.head))) r), 0)), 0)::bigint
        into here
        from partition p
        cross join lateral (
            select range_intersect_agg(coalesce(c.acked, '{}') + int8multirange(int8range(null, c.committed))) as finished
            from cursor c
            where c.partition_id = p.id
        ) f
        where p.queue_id = count_unfinished.queue_id
          and p.head > p.tail;
        total := total + here;
    end loop;
    return total;
end
$$;
