create function :api.note_spool_decision(actor text, action text, queue text, message_id uuid, count int)
returns text
language plpgsql volatile
as $$
-- Promise:  it is written down what an operator decided about messages in a server's spool that were refused for good.
-- Params:   action: put back or drop; queue, message_id: of which, null for any; count: how many it were.
-- Returns:  {}
-- Locks:    nothing.
-- Writes:   queen.audit
begin
    perform :api.audit(actor, action, 'spool', null,
        jsonb_build_object('queue', queue, 'messageId', message_id, 'count', count));
    return '{}';
end
$$;
