create function :api.dead_letter_count(queue_ids uuid[])
returns bigint
language plpgsql stable
as $$
-- Promise:  how many dead letters are kept, from sums: no dead letter is looked at.
-- Params:   the queues; null for all.
-- Returns:  the number.
-- Locks:    nothing.
-- Writes:   nothing
begin
    return (select coalesce(sum(d.kept), 0) from :api.dead_letter_sums(queue_ids) d);
end
$$;
