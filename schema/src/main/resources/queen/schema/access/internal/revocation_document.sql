create function :api.revocation_document(revocation queen.token_revocation)
returns jsonb
language sql stable
as $$
-- Promise:  returns a token revocation as a JSON document.
-- Params:   the row.
-- Returns:  {id, tokenId, subject, issuedBefore, expiresAt, createdAt, createdBy}; a value that does not apply is null.
-- Locks:    none.
-- Writes:   nothing
    select jsonb_build_object(
        'id', revocation.id, 'tokenId', revocation.token_id, 'subject', revocation.subject,
        'issuedBefore', :api.iso_millis(revocation.issued_before), 'expiresAt', :api.iso_millis(revocation.expires_at),
        'createdAt', :api.iso_millis(revocation.created_at), 'createdBy', revocation.created_by);
$$;
