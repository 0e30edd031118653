create function :api.note_dead_letters(queue_ids uuid[], reasons text[], evers bigint[], kepts bigint[])
returns void
language plpgsql volatile
as $$
-- Promise:  dead letters that came or went are noted, to be added to the sums by the next report. Whoever inserts or deletes dead
--           letters says so, in the same transaction.
-- Params:   arrays of equal length, one element per change: how many more there were ever, and are kept.
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
