create function :api.create_key(
    actor text, id text, name text, secret_hash bytea, role text, rights text[], expires_at timestamptz)
returns text
language plpgsql volatile
as $$
-- Promise:  creates an API key. All servers accept it within a second.
-- Params:   actor: the caller, for the audit log; id: new for every key; secret_hash: SHA-256 of the secret; role, rights: one of them may
--           be null; expires_at: null for a key that does not expire.
-- Returns:  as key_document. QN400: an unrevoked key of that name exists.
-- Locks:    the queen.api_key_state row.
-- Writes:   queen.api_key, queen.api_key_state, queen.audit
#variable_conflict use_variable
declare
    created queen.api_key;
begin
    update queen.api_key_state set revision = revision + 1;
    if exists (select 1 from queen.api_key k where k.name = create_key.name and k.revoked_at is null) then
        raise exception 'a key with the name "%" exists; revoke it or choose another name', name using errcode = 'QN400';
    end if;
    insert into queen.api_key (id, name, secret_hash, role, rights, created_by, expires_at)
    values (id, name, secret_hash, role, rights, coalesce(actor, 'anonymous'), expires_at)
    returning * into created;
    perform :api.audit(actor, 'create_key', 'key ' || name, null, (:api.key_document(created))::jsonb);
    return :api.key_document(created)::text;
end
$$;
