create function :api.delete_queue_page(
    queue_id uuid, partition_ids uuid[], rows_max bigint,
    out processed int, out changed bigint, out messages bigint, out is_more boolean)
language plpgsql volatile
as $$
-- Promise:  deletes these partitions of a deleted queue with everything in them; without partitions, the dead letters and the upkeep rows
--           of the queue in this shard.
-- Params:   the queue; partitions of the current shard; rows_max: about how many segments or dead letters to delete.
-- Returns:  processed: all of the partitions, or none of them; changed: the number of deleted partitions; is_more: call it again.
-- Locks:    partition rows, ascending by id; then their cursor rows, ascending by (partition_id, group_name); stream_partition rows.
-- Writes:   every table that names the queue or its partitions
#variable_conflict use_column
declare
    removed bigint;
    reasons text[];
    changes bigint[];
begin
    processed := 0;
    changed := 0;
    messages := 0;
    is_more := true;
    if cardinality(partition_ids) > 0 then
        perform from partition p where p.id = any (partition_ids) order by p.id for update;
        perform from cursor c where c.partition_id = any (partition_ids) order by c.partition_id, c.group_name for update;
        delete from segment s
        using (
            select o.partition_id, o.base from segment o where o.partition_id = any (partition_ids) limit rows_max
        ) o
        where s.partition_id = any (array[o.partition_id]) and s.base = o.base;
        get diagnostics removed = row_count;
        if removed < rows_max then
            perform :api.remove_partitions(partition_ids);
            perform :api.touch_partitions(partition_ids, '{}');
            perform :api.delete_traces(
                partition_ids, array_fill(0::bigint, array[cardinality(partition_ids)]),
                array_fill(9223372036854775807, array[cardinality(partition_ids)]));
            processed := cardinality(partition_ids);
            changed := processed;
            is_more := false;
        end if;
        return;
    end if;

    with removed_letters as (
        delete from dead_letter d
        using (
            select o.partition_id, o.group_name, o.message_offset
            from dead_letter o
            where o.queue_id = delete_queue_page.queue_id
            limit rows_max
        ) o
        where d.partition_id = any (array[o.partition_id]) and d.group_name = o.group_name and d.message_offset = o.message_offset
        returning d.reason
    ), counted as (
        select b.reason, count(*) as count from removed_letters b group by b.reason
    )
    select array_agg(c.reason), array_agg(-c.count), coalesce(sum(c.count), 0) into reasons, changes, removed from counted c;
    if reasons is not null then
        perform :api.record_dead_letter_changes(
            array_fill(delete_queue_page.queue_id, array[cardinality(reasons)]), reasons,
            array_fill(0::bigint, array[cardinality(reasons)]), changes);
    end if;
    if removed < rows_max then
        delete from partition_upkeep u where u.queue_id = delete_queue_page.queue_id;
        delete from queue_upkeep u where u.queue_id = delete_queue_page.queue_id;
        delete from retention_minute m where m.queue_id = delete_queue_page.queue_id;
        is_more := false;
    end if;
end
$$;
