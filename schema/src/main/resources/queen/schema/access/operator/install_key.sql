create function :api.install_key(id text, name text, secret_hash bytea)
returns text
language plpgsql volatile
as $$
-- Promise:  there is an API key with the role admin, so that others can be created: this one, if there was none before.
-- Params:   the key of the bootstrap file, and the hash of its secret.
-- Returns:  installed; revoked: this very key was revoked and stays so; present: an administrator's key is in force.
-- Locks:    the queen.api_key_state row.
-- Writes:   queen.api_key, queen.api_key_state, queen.audit
#variable_conflict use_variable
declare
    known queen.api_key;
begin
    -- One server at a time decides, so that servers that start together install one key.
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
