create function :api.audit(actor text, action text, target text, before jsonb, after jsonb)
returns void
language sql volatile
as $$
-- Promise:  records the action in the audit log, if the transaction commits.
-- Params:   actor: null if authentication is off; target: a text that names the object. The address of the client is the setting
--           queen.client_address of the transaction, if it is set.
-- Returns:  nothing.
-- Locks:    none.
-- Writes:   queen.audit
    insert into queen.audit (actor, address, action, target, before, after)
    values (coalesce(actor, 'anonymous'), nullif(current_setting('queen.client_address', true), ''), action, target, before, after);
$$;
