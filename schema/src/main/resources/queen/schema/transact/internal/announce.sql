create function :api.announce(queue_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  notifies the servers when the transaction commits, without delaying other commits. NOTIFY locks the whole database until the
--           commit is flushed, so commits that notify are serialized. Therefore at most one transaction per queue and four per database
--           notify at a time; the others skip it. A notified server polls the queue again after a moment, and so finds the commits of those
--           that skipped; all others it finds within a second.
-- Params:   the queues with pushes.
-- Returns:  nothing.
-- Locks:    advisory locks (7165110, hash of the queue) and (7165111, 0 to 3), until the transaction ends, never waiting.
-- Writes:   nothing
declare
    queue_name  text;
begin
    foreach queue_name in array queue_names loop
        if pg_try_advisory_xact_lock(7165110, hashtext(queue_name))
           and (pg_try_advisory_xact_lock(7165111, 0) or pg_try_advisory_xact_lock(7165111, 1)
                or pg_try_advisory_xact_lock(7165111, 2) or pg_try_advisory_xact_lock(7165111, 3))
        then
            perform pg_notify('queen_pushed', queue_name);
        end if;
    end loop;
end
$$;
