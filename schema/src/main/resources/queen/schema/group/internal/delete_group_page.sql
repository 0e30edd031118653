create function :api.delete_group_page(
    partition_ids uuid[], group_name text, marked_at timestamptz,
    out processed int, out changed bigint, out messages bigint, out is_more boolean)
language plpgsql volatile
as $$
-- Promise:  deletes the cursors of the group in these partitions, and ends its leases. Dead letters stay.
-- Params:   partitions of the current shard; the group; marked_at: cursors created at or after this time stay; null: all are deleted.
-- Returns:  processed: the number of partitions; changed: the number of deleted cursors.
-- Locks:    the cursor rows, ascending by partition_id.
-- Writes:   cursor, cursor_key, failure, touched_partitions
#variable_conflict use_column
declare
    ids uuid[];
begin
    processed := coalesce(cardinality(partition_ids), 0);
    messages := 0;
    is_more := false;
    perform :api.lock_cursors(partition_ids, array_fill(delete_group_page.group_name, array[processed]));
    ids := array(
        select c.partition_id
        from unnest(partition_ids) as i (id)
        join cursor c on c.partition_id = any (array[i.id]) and c.group_name = delete_group_page.group_name
        where (c.created_at >= delete_group_page.marked_at) is not true);
    changed := cardinality(ids);
    delete from cursor c where c.partition_id = any (ids) and c.group_name = delete_group_page.group_name;
    delete from cursor_key k where k.partition_id = any (ids) and k.group_name = delete_group_page.group_name;
    delete from failure x where x.partition_id = any (ids) and x.group_name = delete_group_page.group_name;
    perform :api.touch_partitions(ids, '{}');
end
$$;
