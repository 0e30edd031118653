create function :api.record_dead_letter_changes(queue_ids uuid[], reasons text[], evers bigint[], kepts bigint[])
returns void
language plpgsql volatile
as $$
-- Promise:  records inserted and deleted dead letters, to be added to the sums by the next report. Must be called in the transaction that
--           inserts or deletes dead letters.
-- Params:   arrays of equal length, one element per change: the change of the total ever, and of the number stored.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   dead_letter_change
#variable_conflict use_column
begin
    insert into dead_letter_change (queue_id, reason, ever, kept)
    select i.queue_id, i.reason, sum(i.ever), sum(i.kept)
    from unnest(queue_ids, reasons, evers, kepts) as i (queue_id, reason, ever, kept)
    group by i.queue_id, i.reason
    having sum(i.ever) <> 0 or sum(i.kept) <> 0;
end
$$;
