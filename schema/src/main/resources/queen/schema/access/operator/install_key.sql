create function :api.install_key(id text, name text, secret_hash bytea)
returns text
language plpgsql volatile
as $$
-- Promise:  guarantees that an administrator key exists: creates this key with the role admin if no valid admin key exists.
-- Params:   the id, name and secret hash from the bootstrap file.
-- Returns:  installed; revoked: this key was revoked and stays revoked; present: a valid administrator key exists.
-- Locks:    the queen.api_key_state row.
-- Writes:   queen.api_key, queen.api_key_state, queen.audit
#variable_conflict use_variable
declare
    known queen.api_key;
begin
    -- Servers that start together must install one key, so they decide one at a time.
    perform 1 from queen.api_key_state s for no key update;
    select k.* into known from queen.api_key k where k.id = install_key.id;
    if found and known.revoked_at is not null then
        return 'revoked';
    elsif found or exists (
        select 1
        from queen.api_key k
        where k.role = 'admin' and k.revoked_at is null and coalesce(k.expires_at > clock_timestamp(), true))
    then
        return 'present';
    end if;
    perform :api.create_key('bootstrap file', id, name, secret_hash, 'admin', null, null);
    return 'installed';
end
$$;
