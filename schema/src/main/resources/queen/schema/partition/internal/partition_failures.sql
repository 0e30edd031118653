create function :api.partition_failures(partition_ids uuid[])
returns table (index int, failed bigint, dead bigint, oldest_at timestamptz)
language plpgsql stable
as $$
-- Promise:  returns failed messages, dead letters and the oldest message of partitions.
-- Params:   the partitions.
-- Returns:  one row per existing partition: unfinished messages that failed at least once; dead letters, 10,000 at most; when the oldest
--           stored message was stored.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    before  text := current_setting('search_path');
    part    record;
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        return query
        select i.index,
               (select coalesce(sum(:api.unread(
                    greatest(f.message_offset, c.committed, p.tail), f.message_offset + f.message_count, c.acked, p.removed)), 0)::bigint
                from (select * from failure f where f.partition_id = p.id limit 10000) f
                cross join lateral :newest_cursor(f.partition_id, f.group_name) c),
               (select count(*) from (select 1 from dead_letter l where l.partition_id = p.id limit 10000) l),
               (select s.created_at from segment s
                where s.partition_id = p.id and s.base <= p.tail and p.tail < p.head
                order by s.base desc limit 1)
        from unnest(part.indexes) as i (index)
        cross join lateral :newest_partition(partition_ids[i.index]) p;
    end loop;
    perform set_config('search_path', before, true);
end
$$;
