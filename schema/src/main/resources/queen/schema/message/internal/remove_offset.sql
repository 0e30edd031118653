create function :api.remove_offset(partition_id uuid, message_offset bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  removes a message from delivery to any group; groups that have not finished it skip it. Its segment stays until retention
--           removes it, so that its transactionId stays a duplicate.
-- Params:   the partition; the offset of a stored message.
-- Returns:  whether a group was blocked by a failed message, so that servers may wait for it without need.
-- Locks:    the partition row; then its cursor rows, ascending by group_name.
-- Writes:   partition, partition_upkeep, cursor, failure
#variable_conflict use_column
declare
    gone            bigint := remove_offset.message_offset;
    partition_row   record;
    all_gone        int8multirange;
    groups          text[];
    was_failing     boolean;
begin
    select p.* into partition_row from partition p where p.id = remove_offset.partition_id for no key update;
    all_gone := coalesce(partition_row.removed, '{}') + int8multirange(int8range(gone, gone + 1));
    -- The tail moves over an adjacent removed range: otherwise an empty partition would look pending for new groups.
    partition_row.tail := :api.first_unfinished(partition_row.tail, partition_row.tail, all_gone);
    update partition p set tail = partition_row.tail, removed = all_gone where p.id = partition_row.id;
    if partition_row.tail = partition_row.head then
        perform :api.schedule_idle_check(array[partition_row.id]);
    end if;

    perform from cursor c where c.partition_id = partition_row.id order by c.group_name for update;
    select array_agg(c.group_name order by c.group_name), bool_or(c.is_failing)
    into groups, was_failing
    from cursor c
    where c.partition_id = partition_row.id
      and c.committed <= gone
      and not coalesce(c.acked @> gone, false);
    if groups is null then
        return false;
    end if;
    -- The offset is stored as finished in the cursors, so that acks do not have to read the partition.
    perform from :api.advance(
        array(select i from generate_subscripts(groups, 1) i), array_fill(partition_row.id, array[cardinality(groups)]), groups,
        array_fill(int8multirange(int8range(gone, gone + 1)), array[cardinality(groups)]),
        array_fill(0, array[cardinality(groups)]), array_fill(1, array[cardinality(groups)]));
    return was_failing;
end
$$;
