create function :api.move_dead_letters(
    partition_ids uuid[], group_names text[], message_offsets bigint[], queue_ids uuid[], partition_names text[],
    transaction_ids text[], lines bytea[], encryption_epoch bigint)
returns table (index int, error text)
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  moves dead letters to the end of partitions: at the commit each is a stored message and no dead letter any more. A message that
--           the partition already stores is not a duplicate, because it is the failed message itself. Two dead letters of one call with the
--           same transactionId and partition become one message. If PostgreSQL rejects a dead letter, only that one stays. Moves nothing
--           and raises QN003 if encryption was switched on for a queue since the epoch of the caller.
-- Params:   arrays of equal length, one element per dead letter, in the order in which they are stored. The first three identify dead
--           letters of one shard that the caller has locked. queue_ids, partition_names: the targets. lines: as they are stored, each with
--           its line break.
-- Returns:  one row per dead letter; error: why it stays a dead letter, null for one that was moved.
-- Locks:    what store_dead_letters locks.
-- Writes:   what store_dead_letters writes
#variable_conflict use_column
declare
    count   constant int := cardinality(partition_ids);
    half    constant int := count / 2;
    refusal text;
begin
    begin
        return query
        select s.index, s.error
        from :api.store_dead_letters(
            partition_ids, group_names, message_offsets, queue_ids, partition_names, transaction_ids, lines, encryption_epoch) s;
        return;
    exception when others then
        -- Errors that a dead letter does not cause: lost connections, conflicts, resources, locks, shutdown, and our own codes.
        if left(sqlstate, 2) in ('08', '25', '40', '53', '55', '57', '58', 'XX', 'QN') then
            raise;
        end if;
        refusal := sqlerrm;
    end;
    if count = 1 then
        return query select 1, refusal;
        return;
    end if;
    -- The rejected one is found by binary search, in few attempts.
    return query
    select m.index, m.error
    from :api.move_dead_letters(
        partition_ids[:half], group_names[:half], message_offsets[:half], queue_ids[:half], partition_names[:half],
        transaction_ids[:half], lines[:half], encryption_epoch) m;
    return query
    select m.index + half, m.error
    from :api.move_dead_letters(
        partition_ids[half + 1:], group_names[half + 1:], message_offsets[half + 1:], queue_ids[half + 1:], partition_names[half + 1:],
        transaction_ids[half + 1:], lines[half + 1:], encryption_epoch) m;
end
$$;
