create function :api.list_redrives(page bigint, skipped bigint, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns a page of redrives, newest first.
-- Params:   page: the page size; skipped: number of rows before the page. scope: only redrives from and to these queues; null for all.
-- Returns:  {redrives, total, pagination}.
-- Locks:    none.
-- Writes:   nothing
declare
    r           queen.redrive;
    redrives    json[] := '{}';
begin
    for r in
        select x.*
        from queen.redrive x
        where scope is null or :api.is_redrive_within(x, scope)
        order by x.created_at desc
        limit page
        offset skipped
    loop
        redrives := redrives || :api.redrive_document(r);
    end loop;
    return json_build_object(
        'redrives', array_to_json(redrives),
        'total', (select count(*) from queen.redrive x where scope is null or :api.is_redrive_within(x, scope)),
        'pagination', json_build_object('limit', page, 'offset', skipped))::text;
end
$$;
