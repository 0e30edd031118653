create function :api.count_keys()
returns bigint
language plpgsql volatile
as $$
-- Promise:  counts, by key, the stored messages of this shard in queues that are or were encrypted, without reading messages. Deletes runs
--           of which nothing is stored any more.
-- Params:   none; a shard is selected.
-- Returns:  the number of messages that were not read yet, so that their key is unknown.
-- Locks:    the rows it writes.
-- Writes:   queen.key_run, queen.key_cover
#variable_conflict use_column
declare
    here        constant text := current_schema();
    of_queue    uuid;
    partitions  record;
    gone        record;
    unchecked   bigint := 0;
    left_over   bigint;
begin
    for of_queue in select k.queue_id from queen.key_queue k where k.shard = here order by k.queue_id loop
        select array_agg(r.partition_id) as ids, array_agg(r.first_offset) as firsts, array_agg(r.end_offset) as ends
        into gone
        from queen.key_run r
        where r.queue_id = of_queue
          and :api.shard_of(r.partition_id) = here;
        select array_agg(r.id) as ids, array_agg(r.first) as firsts
        into gone
        from unnest(gone.ids, gone.firsts, gone.ends) as r (id, first, "end")
        left join lateral :newest_partition(r.id) p on true
        where coalesce(p.tail >= r."end", true);
        delete from queen.key_run r
        using unnest(gone.ids, gone.firsts) as g (id, first)
        where r.partition_id = any (array[g.id]) and r.first_offset = g.first;

        select array_agg(p.id) as ids, array_agg(p.tail) as tails, array_agg(p.head) as heads
        into partitions
        from partition p
        where p.queue_id = of_queue;
        delete from queen.key_cover c where c.queue_id = of_queue and c.shard = here and c.kind in ('message', 'unchecked');
        insert into queen.key_cover (queue_id, shard, kind, key_id, is_bound, count, bytes, counted_at)
        select of_queue, here, 'message', r.key_id, r.is_bound, sum(n.count),
               sum(r.bytes * (n.count::float8 / (r.end_offset - r.first_offset)))::bigint, clock_timestamp()
        from unnest(partitions.ids, partitions.tails) as p (id, tail)
        cross join lateral (select r.* from queen.key_run r where r.partition_id = p.id offset 0) r
        cross join lateral (select r.end_offset - greatest(r.first_offset, p.tail) as count) n
        where n.count > 0
        group by r.key_id, r.is_bound;

        select coalesce(sum(greatest(p.head - greatest(p.tail, r.end_offset), 0)), 0)
        into left_over
        from unnest(partitions.ids, partitions.tails, partitions.heads) as p (id, tail, head)
        cross join lateral (select max(r.end_offset) as end_offset from queen.key_run r where r.partition_id = p.id offset 0) r;
        insert into queen.key_cover (queue_id, shard, kind, key_id, is_bound, count, bytes, counted_at)
        values (of_queue, here, 'unchecked', '', false, left_over, 0, clock_timestamp());
        unchecked := unchecked + left_over;
    end loop;
    return unchecked;
end
$$;
