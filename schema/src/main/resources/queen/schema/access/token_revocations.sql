create function :api.token_revocations(known_version bigint)
returns table (
    version bigint, token_ids text[], subjects text[], subjects_before double precision[], issued_before double precision)
language sql stable
as $$
-- Promise:  returns all token revocations, if they have changed since a version.
-- Params:   known_version: the version that the caller has loaded; -1 for none.
-- Returns:  no row if the version is the current one; otherwise one row: ids of revoked tokens; subjects, and for each the time before
--           which its tokens are revoked; the time before which all tokens are revoked, or 0. Times are in seconds since 1970.
-- Locks:    none.
-- Writes:   nothing
    select v.version,
           coalesce((select array_agg(r.token_id) from queen.token_revocation r where r.token_id is not null), '{}'),
           coalesce((select array_agg(r.subject order by r.id) from queen.token_revocation r where r.subject is not null), '{}'),
           coalesce((select array_agg(extract(epoch from r.issued_before)::double precision order by r.id)
                     from queen.token_revocation r where r.subject is not null), '{}'),
           coalesce((select extract(epoch from r.issued_before)::double precision
                     from queen.token_revocation r where r.token_id is null and r.subject is null), 0)
    from queen.token_revocation_version v
    where v.version <> known_version;
$$;
