create function :api.revocation_document(revocation queen.token_revocation)
returns jsonb
language sql stable
as $$
-- Promise:  a revocation as operators see it.
-- Params:   the row.
-- Returns:  {id, tokenId, subject, issuedBefore, expiresAt, createdAt, createdBy}; what does not apply is null.
-- Locks:    nothing.
-- Writes:   nothing
    select jsonb_build_object(
        'id', revocation.id, 'tokenId', revocation.token_id, 'subject', revocation.subject,
        'issuedBefore', :api.iso_millis(revocation.issued_before), 'expiresAt', :api.iso_millis(revocation.expires_at),
        'createdAt', :api.iso_millis(revocation.created_at), 'createdBy', revocation.created_by);
$$;
