create function :api.list_revocations(before_id bigint, max_rows int)
returns text
language sql stable
as $$
-- Promise:  returns a page of the token revocations, newest first.
-- Params:   before_id: only revocations before this id, for the next page; null for the first page. max_rows: page size.
-- Returns:  {revocations: [as revocation_document], pagination: {limit, next}}; next is null on the last page.
-- Locks:    none.
-- Writes:   nothing
    with page as (
        select r.*
        from queen.token_revocation r
        where before_id is null or r.id < before_id
        order by r.id desc
        limit max_rows
    )
    select json_build_object(
        'revocations', coalesce((select json_agg(:api.revocation_document(p) order by p.id desc) from page p), '[]'),
        'pagination', json_build_object(
            'limit', max_rows,
            'next', (select min(p.id) from page p having count(*) = max_rows)))::text;
$$;
