create function :api.clear_page(
    partition_ids uuid[], marked_at timestamptz, messages_max bigint,
    out processed int, out changed bigint, out messages bigint, out is_more boolean)
language plpgsql volatile
as $$
-- Promise:  removes the messages of these partitions for all groups, and ends leases on them. Dead letters stay.
-- Params:   partitions of the current shard, in the order in which they are processed; marked_at: messages stored at or after this time
--           stay; null: none stay; messages_max: about how many messages to remove.
-- Returns:  processed: how many of the partitions are done, from the first; messages: the number of removed messages.
-- Locks:    partition rows, ascending by id; then their cursor rows, ascending by (partition_id, group_name).
-- Writes:   partition, segment, cursor, failure, partition_upkeep, queen.trace*, touched_partitions
#variable_conflict use_column
declare
    chosen  uuid[];
    page    record;
    passed  record;
begin
    is_more := false;
    -- The size is read without locks: it only decides how much to process at once.
    with sized as (
        select i.id, i.index, coalesce(p.head - p.tail, 0) as messages
        from unnest(partition_ids) with ordinality as i (id, index)
        left join lateral :newest_partition(i.id) p on true
    )
    select array_agg(s.id order by s.index)
    into chosen
    from (select s.*, sum(s.messages) over (order by s.index) - s.messages as before from sized s) s
    where s.before < messages_max;
    processed := coalesce(cardinality(chosen), 0);

    perform from partition p where p.id = any (chosen) order by p.id for no key update;
    select array_agg(p.id order by p.id) as ids, array_agg(least(p.target, p.tail + messages_max) order by p.id) as targets,
           coalesce(sum(least(p.target, p.tail + messages_max) - p.tail), 0) as messages, count(*) as count,
           bool_or(p.target > p.tail + messages_max) as is_partial,
           array_agg(p.id) filter (where p.target = p.head) as emptied
    into page
    from (
        select p.id, p.tail, p.head,
               case when p.last_push_at >= clear_page.marked_at
                    then greatest(p.tail, :offset_at(p.id, p.tail, p.head, clear_page.marked_at)) else p.head end as target
        from unnest(chosen) as i (id)
        cross join lateral :newest_partition(i.id) p
    ) p;
    messages := page.messages;
    changed := page.count;
    if page.ids is null then
        return;
    end if;

    perform from cursor c where c.partition_id = any (chosen) order by c.partition_id, c.group_name for update;
    select array_agg(i.partition_id order by i.partition_id, i.group_name) as ids,
           array_agg(i.group_name order by i.partition_id, i.group_name) as groups,
           array_agg(i.range order by i.partition_id, i.group_name) as ranges,
           array_agg(i.skipped order by i.partition_id, i.group_name) as skipped,
           array_agg(i.last_ack_at order by i.partition_id, i.group_name) as acks
    into passed
    from (
        select c.partition_id, c.group_name, c.last_ack_at, r.range,
               (select coalesce(sum(upper(u) - lower(u)), 0)::int from unnest(r.range - coalesce(c.acked, '{}')) u) as skipped
        from unnest(page.ids, page.targets) as t (id, target)
        join cursor c on c.partition_id = any (array[t.id])
        cross join lateral (select int8multirange(int8range(c.committed, t.target)) as range) r
        where c.committed < t.target
    ) i;
    if passed.ids is not null then
        perform from :api.advance(
            array(select generate_subscripts(passed.ids, 1)), passed.ids, passed.groups, passed.ranges,
            array_fill(0, array[cardinality(passed.ids)]), passed.skipped);
        update cursor c
        set skipped_count = c.skipped_count + i.skipped, last_ack_at = i.last_ack_at, lease_id = null, lease_until = null,
            lease_end = null,
            :written(c)
        from unnest(passed.ids, passed.groups, passed.skipped, passed.acks) as i (partition_id, group_name, skipped, last_ack_at)
        where c.partition_id = any (array[i.partition_id])
          and c.group_name = i.group_name;
    end if;
    perform :api.move_tails(page.ids, page.targets);
    if page.emptied is not null then
        perform :api.schedule_idle_check(page.emptied);
    end if;
    -- A partition with more messages than one page removes is the last one of its page, and is continued with the next.
    if page.is_partial then
        processed := processed - 1;
        is_more := true;
    end if;
end
$$;
