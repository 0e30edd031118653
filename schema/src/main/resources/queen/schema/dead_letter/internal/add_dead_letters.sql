create function :api.add_dead_letters(changes_max int)
returns table (queue_id uuid, died bigint)
language plpgsql volatile
as $$
-- Promise:  adds changes of dead letters in the current shard to the sums, each once.
-- Params:   changes_max: the maximum number of changes to add.
-- Returns:  one row per queue; died: new dead letters that no server counts. A change without a reason was written by an older release,
--           whose server counts it.
-- Locks:    dead_letter_change rows, never waiting; dead_letter_sum rows, ascending by (queue_id, reason).
-- Writes:   dead_letter_change, dead_letter_sum
#variable_conflict use_column
declare
    queues  uuid[];
    reasons text[];
    evers   bigint[];
    kepts   bigint[];
begin
    with taken as (
        delete from dead_letter_change c
        where c.id = any (array(select o.id from dead_letter_change o order by o.id limit changes_max for update skip locked))
        returning c.queue_id, c.reason, c.ever, c.kept
    )
    select array_agg(t.queue_id), array_agg(t.reason), array_agg(t.ever), array_agg(t.kept)
    into queues, reasons, evers, kepts
    from taken t;
    if queues is null then
        return;
    end if;

    insert into dead_letter_sum as s (queue_id, reason, ever, kept)
    select t.queue_id, coalesce(t.reason, 'unknown'), sum(t.ever), sum(t.kept)
    from unnest(queues, reasons, evers, kepts) as t (queue_id, reason, ever, kept)
    group by t.queue_id, coalesce(t.reason, 'unknown')
    order by t.queue_id, coalesce(t.reason, 'unknown')
    on conflict (queue_id, reason) do update
    set ever = s.ever + excluded.ever,
        kept = s.kept + excluded.kept;

    return query
    select t.queue_id, sum(t.ever)::bigint
    from unnest(queues, reasons, evers) as t (queue_id, reason, ever)
    where t.reason is not null
      and t.ever > 0
    group by t.queue_id;
end
$$;
