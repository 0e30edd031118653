create function :api.audit(actor text, action text, target text, before jsonb, after jsonb)
returns void
language sql volatile
as $$
-- Promise:  the action is on record, if the transaction it is part of commits.
-- Params:   actor: who did it, null when nobody had to say who they are; target: what it was done to, in words.
-- Returns:  nothing.
-- Locks:    nothing.
-- Writes:   queen.audit
    insert into queen.audit (actor, action, target, before, after)
    values (coalesce(actor, 'anonymous'), action, target, before, after);
$$;
