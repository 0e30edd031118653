create function :api.raise_queue_sizes(partition_ids uuid[], group_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  keeps the size of a queue with a maxSize no less than its number of unfinished messages, after groups opened cursors: messages
--           that every other group has finished are unfinished again for these groups.
-- Params:   arrays of equal length: the cursors that were opened. The caller has locked the queen.queue_size rows before.
-- Returns:  nothing.
-- Locks:    none of its own.
-- Writes:   queen.queue_size
#variable_conflict use_column
declare
    raised record;
begin
    select array_agg(n.queue_id) as queues, array_agg(n.count) as counts
    into raised
    from (
        select p.queue_id, sum(greatest(others.reached - c.committed, 0)) as count
        from unnest(partition_ids, group_names) as i (partition_id, group_name)
        cross join lateral :newest_partition(i.partition_id) p
        cross join lateral :newest_cursor(i.partition_id, i.group_name) c
        cross join lateral (
            select min(greatest(o.committed, upper(o.acked))) as reached
            from cursor_key k
            cross join lateral :newest_cursor(k.partition_id, k.group_name) o
            where k.partition_id = i.partition_id
              and not exists (
                  select 1 from unnest(partition_ids, group_names) as x (partition_id, group_name)
                  where x.partition_id = k.partition_id and x.group_name = k.group_name)
        ) others
        where exists (select 1 from queen.queue_size s where s.queue_id = p.queue_id)
        group by p.queue_id
    ) n
    where n.count > 0;
    if raised.queues is not null then
        update queen.queue_size z
        set size = z.size + n.count
        from unnest(raised.queues, raised.counts) as n (queue_id, count)
        where z.queue_id = any (array[n.queue_id]);
    end if;
end
$$;
