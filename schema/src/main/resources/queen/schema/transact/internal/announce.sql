create function :api.announce(queue_names text[])
returns void
language plpgsql volatile
as $$
-- Promise:  wakes the servers when the present transaction commits, without delaying other commits. NOTIFY takes a lock of the whole
--           database until the commit is flushed, so commits that notify follow one another. Therefore at most one transaction of a
--           queue and four of the database notify at a time; the others skip it. A server that is notified looks at the queue again
--           after a moment, and so finds what was committed by those that skipped; all else it finds within a second.
-- Params:   the queues that were pushed to.
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
