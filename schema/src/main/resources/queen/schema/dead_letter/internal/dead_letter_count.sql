create function :api.dead_letter_count(queue_ids uuid[])
returns bigint
language plpgsql stable
as $$
-- Promise:  returns the number of stored dead letters from the sums; reads no dead letters.
-- Params:   queue_ids: null for all queues.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
begin
    return (select coalesce(sum(d.kept), 0) from :api.dead_letter_sums(queue_ids) d);
end
$$;
