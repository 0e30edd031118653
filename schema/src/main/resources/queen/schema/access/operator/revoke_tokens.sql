create function :api.revoke_tokens(
    actor text, token_id text, subject text, issued_before timestamptz, expires_at timestamptz, rows_max int default 100000)
returns text
language plpgsql volatile
as $$
-- Promise:  revokes one token, or all tokens issued before a time; all servers reject them within about a second. A later time replaces an
--           earlier one; an earlier one has no effect.
-- Params:   token_id: the jti of one token; otherwise subject: only tokens of this sub, null for every subject, and issued_before: null
--           means now if subject is set. expires_at: upkeep removes the revocation after this time, because the tokens have expired by
--           then; null: never. rows_max: the maximum number of revocations; servers keep all of them in memory.
-- Returns:  as revocation_document, with success.
-- Locks:    queen.token_revocation_version, so that changes are made one after the other.
-- Writes:   queen.token_revocation, queen.token_revocation_version, queen.audit
#variable_conflict use_column
declare
    before  timestamptz := coalesce(revoke_tokens.issued_before, clock_timestamp());
    revoked queen.token_revocation;
begin
    if revoke_tokens.token_id is not null and (revoke_tokens.subject is not null or revoke_tokens.issued_before is not null) then
        raise exception 'tokenId is given together with subject or issuedBefore; give either tokenId or the others' using errcode = 'QN400';
    end if;
    if revoke_tokens.token_id is null and revoke_tokens.subject is null and revoke_tokens.issued_before is null then
        raise exception 'give tokenId, subject or issuedBefore' using errcode = 'QN400';
    end if;
    if before > clock_timestamp() + interval '1 minute' then
        raise exception 'issuedBefore is in the future; use a time up to now' using errcode = 'QN400';
    end if;
    if revoke_tokens.expires_at <= clock_timestamp() then
        raise exception 'expiresAt is in the past; the token has expired by itself' using errcode = 'QN400';
    end if;

    update queen.token_revocation_version v set version = v.version + 1 where v.is_the_only_row;
    if (select count(*) from queen.token_revocation) >= rows_max then
        raise exception 'there are % revocations already; revoke all tokens issued before a time instead', rows_max using errcode = 'QN400';
    end if;
    if revoke_tokens.token_id is not null then
        insert into queen.token_revocation as r (token_id, expires_at, created_by)
        values (revoke_tokens.token_id, revoke_tokens.expires_at, coalesce(actor, 'anonymous'))
        on conflict (token_id) where token_id is not null do update
        set expires_at = case when excluded.expires_at > r.expires_at then excluded.expires_at
                              when excluded.expires_at is not null then r.expires_at end
        returning r.* into revoked;
    else
        insert into queen.token_revocation as r (subject, issued_before, expires_at, created_by)
        values (revoke_tokens.subject, before, revoke_tokens.expires_at, coalesce(actor, 'anonymous'))
        on conflict (coalesce(subject, ''), (subject is null)) where token_id is null do update
        set issued_before = greatest(r.issued_before, excluded.issued_before),
            expires_at = case when excluded.issued_before >= r.issued_before then excluded.expires_at else r.expires_at end
        returning r.* into revoked;
    end if;
    perform :api.audit(actor, 'revoke', 'tokens', null, :api.revocation_document(revoked));
    return (jsonb_build_object('success', true) || :api.revocation_document(revoked))::text;
end
$$;
