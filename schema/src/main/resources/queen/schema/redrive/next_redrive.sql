create function :api.next_redrive(left_to_others uuid[])
returns uuid
language sql volatile
as $$
-- Promise:  returns the next due redrive and locks it for the transaction, so that no other server continues it.
-- Params:   left_to_others: redrives that the caller leaves to other servers.
-- Returns:  its id; null if none is due.
-- Locks:    the queen.redrive row, never waiting.
-- Writes:   nothing
select r.id
from queen.redrive r
where r.status = 'running'
  and r.next_at <= clock_timestamp()
  and r.id <> all (left_to_others)
order by r.next_at
limit 1
for update skip locked
$$;
