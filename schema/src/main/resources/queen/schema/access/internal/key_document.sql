create function :api.key_document(k queen.api_key)
returns json
language sql stable
as $$
-- Promise:  returns an API key as a JSON document, without its secret hash.
-- Params:   the row.
-- Returns:  {id, name, role, rights, createdBy, createdAt, lastUsedAt, expiresAt, revokedBy, revokedAt}.
-- Locks:    none.
-- Writes:   nothing
select json_build_object(
    'id', k.id, 'name', k.name, 'role', k.role, 'rights', k.rights, 'createdBy', k.created_by,
    'createdAt', :api.iso_millis(k.created_at), 'lastUsedAt', :api.iso_millis(k.used_at), 'expiresAt', :api.iso_millis(k.expires_at),
    'revokedBy', k.revoked_by, 'revokedAt', :api.iso_millis(k.revoked_at))
$$;
