create function :api.list_redrives(page bigint, skipped bigint)
returns text
language sql stable
as $$
-- Promise:  a page of redrives, newest first.
-- Params:   how many, and how many before them.
-- Returns:  {redrives, total, pagination}.
-- Locks:    none.
-- Writes:   nothing
select json_build_object(
    'redrives', coalesce((
        select json_agg(:api.redrive_document(r) order by r.created_at desc)
        from (
            select r as whole
            from queen.redrive r
            order by r.created_at desc
            limit page
            offset skipped
        ) x
        cross join lateral (select (x.whole).*) r), '[]'),
    'total', (select count(*) from queen.redrive),
    'pagination', json_build_object('limit', page, 'offset', skipped))::text
$$;
