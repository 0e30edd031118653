create function :api.move_letters(
    partition_ids uuid[], group_names text[], message_offsets bigint[], queue_ids uuid[], partition_names text[],
    transaction_ids text[], lines bytea[], encryption_epoch bigint)
returns table (index int, error text)
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  moves dead letters to the end of partitions: when the transaction commits, each is a stored message and no dead letter
--           any more. A message that the partition already stores is no duplicate, because it is the message that died. Two dead
--           letters of one call with the same transactionId and the same partition become one message. When PostgreSQL rejects
--           a letter, only that one stays a dead letter.
--           Moves nothing and raises QN003 when encryption was switched on since the caller's epoch.
-- Params:   arrays of equal length, one element per dead letter, in the order in which they are stored. The first three name dead
--           letters of one shard that the caller has locked. queue_ids, partition_names: where they go. lines: as they are
--           stored, each with its line break.
-- Returns:  one row per dead letter; error: why it stays a dead letter, null for one that was moved.
-- Locks:    what store_letters locks.
-- Writes:   what store_letters writes
#variable_conflict use_column
declare
    count   constant int := cardinality(partition_ids);
    half    constant int := count / 2;
    refusal text;
begin
    begin
        return query
        select s.index, s.error
        from :api.store_letters(
            partition_ids, group_names, message_offsets, queue_ids, partition_names, transaction_ids, lines, encryption_epoch) s;
        return;
    exception when others then
        -- Failures that are not the letter's: lost connections, conflicts, resources, locks, shutdown, and our own codes.
        if left(sqlstate, 2) in ('08', '25', '40', '53', '55', '57', '58', 'XX', 'QN') then
            raise;
        end if;
        refusal := sqlerrm;
    end;
    if count = 1 then
        return query select 1, refusal;
        return;
    end if;
    -- Found by halves, so that a single one costs few attempts.
    return query
    select m.index, m.error
    from :api.move_letters(
        partition_ids[:half], group_names[:half], message_offsets[:half], queue_ids[:half], partition_names[:half],
        transaction_ids[:half], lines[:half], encryption_epoch) m;
    return query
    select m.index + half, m.error
    from :api.move_letters(
        partition_ids[half + 1:], group_names[half + 1:], message_offsets[half + 1:], queue_ids[half + 1:], partition_names[half + 1:],
        transaction_ids[half + 1:], lines[half + 1:], encryption_epoch) m;
end
$$;
