create function :api.record_spool_decision(actor text, action text, queue text, message_id uuid, count int)
returns text
language plpgsql volatile
as $$
-- Promise:  records in the audit log the decision of an operator about rejected messages in the spool of a server.
-- Params:   action: put back or drop; queue, message_id: the messages, null for any; count: their number.
-- Returns:  {}
-- Locks:    none.
-- Writes:   queen.audit
begin
    perform :api.audit(actor, action, 'spool', null,
        jsonb_build_object('queue', queue, 'messageId', message_id, 'count', count));
    return '{}';
end
$$;
