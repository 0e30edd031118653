create function :api.revoke_key(actor text, name text)
returns text
language plpgsql volatile
as $$
-- Promise:  revokes an API key. No server accepts it after a second.
-- Params:   actor: the caller, for the audit log; name: of the key.
-- Returns:  as key_document; null if no unrevoked key has that name.
-- Locks:    the queen.api_key_state row; the queen.api_key row.
-- Writes:   queen.api_key, queen.api_key_state, queen.audit
#variable_conflict use_column
declare
    revoked queen.api_key;
begin
    update queen.api_key_state set revision = revision + 1;
    update queen.api_key k
    set revoked_at = clock_timestamp(), revoked_by = coalesce(revoke_key.actor, 'anonymous')
    where k.name = revoke_key.name and k.revoked_at is null
    returning k.* into revoked;
    if not found then
        return null;
    end if;
    perform :api.audit(actor, 'revoke_key', 'key ' || revoke_key.name, null, (:api.key_document(revoked))::jsonb);
    return :api.key_document(revoked)::text;
end
$$;
