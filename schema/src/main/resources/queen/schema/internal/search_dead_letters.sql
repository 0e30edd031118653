create function :api.search_dead_letters(
    queue_id uuid, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz, transaction_ids text[],
    is_newest_first boolean, rows_max bigint)
returns setof queen.dead_letter
language plpgsql stable
as $$
-- Promise:  the dead letters that match everything that is given.
-- Params:   null means any; partition: the lane's name; error: a part of the error text, in upper or lower case; from_at and
--           to_at: when the message failed for good.
--           is_newest_first: by the time of the failure, or oldest first; how many at most.
-- Returns:  the dead letters.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if is_newest_first then
        return query
        select d.*
        from dead_letter d
        where (search_dead_letters.queue_id is null or d.queue_id = search_dead_letters.queue_id)
          and (search_dead_letters.partition is null
               or case when search_dead_letters.queue_id is null then d.partition_name = search_dead_letters.partition
                       else d.partition_id = :api.partition_id(search_dead_letters.queue_id, search_dead_letters.partition) end)
          and (search_dead_letters.group_name is null or d.group_name = search_dead_letters.group_name)
          and (search_dead_letters.error is null or strpos(lower(d.error), lower(search_dead_letters.error)) > 0)
          and (search_dead_letters.from_at is null or d.failed_at >= search_dead_letters.from_at)
          and (search_dead_letters.to_at is null or d.failed_at <= search_dead_letters.to_at)
          and (search_dead_letters.transaction_ids is null or d.transaction_id = any (search_dead_letters.transaction_ids))
        order by d.failed_at desc, d.partition_id, d.message_offset desc, d.group_name
        limit rows_max;
    else
        return query
        select d.*
        from dead_letter d
        where (search_dead_letters.queue_id is null or d.queue_id = search_dead_letters.queue_id)
          and (search_dead_letters.partition is null
               or case when search_dead_letters.queue_id is null then d.partition_name = search_dead_letters.partition
                       else d.partition_id = :api.partition_id(search_dead_letters.queue_id, search_dead_letters.partition) end)
          and (search_dead_letters.group_name is null or d.group_name = search_dead_letters.group_name)
          and (search_dead_letters.error is null or strpos(lower(d.error), lower(search_dead_letters.error)) > 0)
          and (search_dead_letters.from_at is null or d.failed_at >= search_dead_letters.from_at)
          and (search_dead_letters.to_at is null or d.failed_at <= search_dead_letters.to_at)
          and (search_dead_letters.transaction_ids is null or d.transaction_id = any (search_dead_letters.transaction_ids))
        order by d.failed_at, d.partition_id, d.group_name, d.message_offset
        limit rows_max;
    end if;
end
$$;
