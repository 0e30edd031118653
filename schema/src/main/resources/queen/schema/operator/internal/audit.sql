create function :api.audit(actor text, action text, target text, before jsonb, after jsonb)
returns void
language sql volatile
as $$
-- Promise:  the action is on record, if the transaction it is part of commits.
-- Params:   actor: who did it, null when nobody had to say who they are; target: what it was done to, in words. The address of the client
--           is the setting queen.client_address of the transaction, if there is one.
-- Returns:  nothing.
-- Locks:    nothing.
-- Writes:   queen.audit
    insert into queen.audit (actor, address, action, target, before, after)
    values (coalesce(actor, 'anonymous'), nullif(current_setting('queen.client_address', true), ''), action, target, before, after);
$$;
