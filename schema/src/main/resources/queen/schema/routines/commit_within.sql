create function :api.commit_within(kept queen.commitment)
returns void
language plpgsql volatile
as $$
-- Promise:  what a transaction left for its commit is done, once for each lane: a lane pushed to counts as pushed to now, whoever
--           waits for its queue is woken, acknowledged messages are finished. Fails, and the transaction with it, when a lease was lost.
-- Params:   what was written down by push_within or ack_within.
-- Returns:  nothing. QN002: a lease is over.
-- Locks:    the queen.partition row, which is locked already; the queen.cursor row.
-- Writes:   queen.partition, what ack writes; deletes from queen.commitment
#variable_conflict use_column
declare
    finished int8multirange;
begin
    if kept.group_name is null then
        -- Servers look for lanes that were pushed to lately, and the push itself may be long ago.
        update queen.partition p
        set active_at = clock_timestamp(),
            writes = p.writes + 1,
            generation = (p.writes + 1) / 256
        where p.ctid = (
            select n.ctid from queen.partition n where n.id = kept.partition_id order by n.generation desc limit 1);
        delete from queen.commitment c
        where c.transaction = kept.transaction and c.partition_id = kept.partition_id and c.group_name is null;
    else
        with done as (
            delete from queen.commitment c
            where c.transaction = kept.transaction and c.partition_id = kept.partition_id
              and c.group_name = kept.group_name and c.lease_id = kept.lease_id
            returning c.message_offset
        )
        select range_agg(int8range(d.message_offset, d.message_offset + 1)) into finished from done d;
        -- The first of several acknowledgements under one lease finishes them all.
        if finished is null then
            return;
        end if;
        if not exists (
            select
            from :api.ack(array[kept.partition_id], array[kept.group_name], array[kept.lease_id], array[finished::text]) a
            where a.is_live
        ) then
            raise exception 'the lease has expired or was taken over' using errcode = 'QN002';
        end if;
    end if;
    perform pg_notify('queen_pushed', kept.queue_name);
end
$$;
