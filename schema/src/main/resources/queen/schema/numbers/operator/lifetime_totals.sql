create function :api.lifetime_totals()
returns text
language sql stable
as $$
-- Promise:  returns the lifetime totals of all servers.
-- Params:   none.
-- Returns:  {pushRequests, pushMessages, popRequests, popMessages, ackRequests, ackSuccess, ackFailed, transactions, deadLetters,
--           dbErrors}
-- Locks:    none.
-- Writes:   nothing
    select json_build_object(
        'pushRequests', l.push_requests, 'pushMessages', l.push_messages, 'popRequests', l.pop_requests,
        'popMessages', l.pop_messages, 'ackRequests', l.ack_requests, 'ackSuccess', l.ack_success, 'ackFailed', l.ack_failed,
        'transactions', l.transactions, 'deadLetters', l.dead_letters, 'dbErrors', l.db_errors)::text
    from queen.lifetime l;
$$;
