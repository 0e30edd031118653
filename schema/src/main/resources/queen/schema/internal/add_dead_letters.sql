create function :api.add_dead_letters(changes_max int)
returns table (queue_id uuid, died bigint)
language plpgsql volatile
as $$
-- Promise:  dead letters that came or went are in the sums, each once.
-- Params:   how many changes to add up at most.
-- Returns:  of each queue how many came that no server counts: a release that does not tell the reason counts its own.
-- Locks:    dead_letter_change rows, never waiting; dead_letter_sum rows, ascending by (queue_id, reason).
-- Writes:   dead_letter_change, dead_letter_sum
#variable_conflict use_column
begin
    return query
    with taken as (
        delete from dead_letter_change c
        where c.id = any (array(select o.id from dead_letter_change o order by o.id limit changes_max for update skip locked))
        returning c.queue_id, c.reason, c.ever, c.kept
    ), added as (
        insert into dead_letter_sum as s (queue_id, reason, ever, kept)
        select t.queue_id, coalesce(t.reason, 'unknown'), sum(t.ever), sum(t.kept)
        from taken t
        group by t.queue_id, coalesce(t.reason, 'unknown')
        order by t.queue_id, coalesce(t.reason, 'unknown')
        on conflict (queue_id, reason) do update
        set ever = s.ever + excluded.ever,
            kept = s.kept + excluded.kept
    )
    select t.queue_id, sum(t.ever)::bigint
    from taken t
    where t.reason is not null
      and t.ever > 0
    group by t.queue_id;
end
$$;
