create function :api.late_partitions(before timestamptz, rows_max bigint, scope uuid[] default null)
returns table (target_id uuid, reader text, since timestamptz)
language plpgsql stable
-- The index of oldest_at provides the order: a sort would read every partition with unread messages.
set enable_sort = off
as $$
-- Promise:  returns the partitions in which a group had an unread message that was due before a time, when they were last counted; paused
--           groups and queues are left out.
-- Params:   before: the time; rows_max: the maximum number of partitions per shard, most overdue first. scope: only these queues; null for
--           all.
-- Returns:  one row per partition and group with unread messages; if no shard is selected, those of all shards, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shard text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            return query select l.* from :api.late_partitions(late_partitions.before, rows_max, scope) l;
        end loop;
        perform :api.select_shard('queen');
        return;
    end if;
    return query
    select d.partition_id, u.group_name, d.oldest_at
    from (
        select d.partition_id, d.group_names, d.group_pendings, d.oldest_at
        from partition_depth d
        where d.oldest_at < late_partitions.before
          and d.oldest_at is not null
          and d.group_names <> '{}'
          and (scope is null or d.queue_id = any (scope))
          and exists (
              select 1
              from unnest(d.group_names, d.group_pendings) as u (group_name, pending)
              join queen.queue q on q.id = any (array[d.queue_id]) and not q.is_paused
              where u.pending > 0
                and not exists (select 1 from queen.group_pause g where g.queue_id = d.queue_id and g.group_name = u.group_name))
        order by d.oldest_at
        limit rows_max
    ) d
    cross join lateral unnest(d.group_names, d.group_pendings) as u (group_name, pending)
    where u.pending > 0;
end
$$;
