create function :api.restore_tokens(actor text, revocation_id bigint)
returns text
language plpgsql volatile
as $$
-- Promise:  within about a second servers accept the tokens of the revocation again, unless another one covers them.
-- Params:   the id of the revocation.
-- Returns:  the revocation, as revocation_document does; null when there is no such revocation.
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
