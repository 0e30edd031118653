create function :api.restore_tokens(actor text, revocation_id bigint)
returns text
language plpgsql volatile
as $$
-- Promise:  deletes a revocation. Within about a second servers accept its tokens again, unless another revocation covers them.
-- Params:   revocation_id: the id of the revocation.
-- Returns:  as revocation_document, with success; null if the revocation does not exist.
-- Locks:    queen.token_revocation_version.
-- Writes:   queen.token_revocation, queen.token_revocation_version, queen.audit
declare
    was queen.token_revocation;
begin
    update queen.token_revocation_version v set version = v.version + 1 where v.is_the_only_row;
    delete from queen.token_revocation r where r.id = revocation_id returning r.* into was;
    if was.id is null then
        return null;
    end if;
    perform :api.audit(actor, 'restore', 'tokens', :api.revocation_document(was), null);
    return (jsonb_build_object('success', true) || :api.revocation_document(was))::text;
end
$$;
