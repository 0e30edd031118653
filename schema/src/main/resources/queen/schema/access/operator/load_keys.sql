create function :api.load_keys(known_revision bigint)
returns text
language sql stable
as $$
-- Promise:  returns the API keys that are valid, if the revision differs from the caller's.
-- Params:   known_revision: the revision that the caller has loaded; -1 for none.
-- Returns:  {revision, keys: [{id, name, hash, role, rights, expiresAtMs}]}; keys is null if the revision is the known one.
-- Locks:    none.
-- Writes:   nothing
select json_build_object(
    'revision', s.revision,
    'keys', case when s.revision <> known_revision then coalesce((
        select json_agg(json_build_object(
            'id', k.id, 'name', k.name, 'hash', encode(k.secret_hash, 'hex'), 'role', k.role, 'rights', k.rights,
            'expiresAtMs', floor(extract(epoch from k.expires_at) * 1000)::bigint))
        from queen.api_key k
        where k.revoked_at is null
          and coalesce(k.expires_at > clock_timestamp(), true)), '[]') end)::text
from queen.api_key_state s
$$;
