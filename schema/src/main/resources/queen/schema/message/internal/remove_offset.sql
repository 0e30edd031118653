create function :api.remove_offset(partition_id uuid, message_offset bigint)
returns boolean
language plpgsql volatile
as $$
-- Promise:  the message is never delivered to anybody any more; every group that has not finished it passes over it. Its segment
--           stays until retention comes to it, so that its transactionId stays taken.
-- Params:   the partition; the offset of a message that is kept.
-- Returns:  whether a group was held up by a failed message, so that servers may wait for it in vain.
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
    -- The tail moves over a run it meets, or a partition of which nothing is left would look as if it had something for new groups.
    partition_row.tail := :api.first_unfinished(partition_row.tail, partition_row.tail, all_gone);
    update partition p set tail = partition_row.tail, removed = all_gone where p.id = partition_row.id;
    if partition_row.tail = partition_row.head then
        perform :api.watch_idle(array[partition_row.id]);
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
    -- They note it down as finished, so that acks need not look at the partition to know.
    perform from :api.advance(
        array(select i from generate_subscripts(groups, 1) i), array_fill(partition_row.id, array[cardinality(groups)]), groups,
        array_fill(int8multirange(int8range(gone, gone + 1)), array[cardinality(groups)]),
        array_fill(0, array[cardinality(groups)]), array_fill(1, array[cardinality(groups)]));
    return was_failing;
end
$$;
