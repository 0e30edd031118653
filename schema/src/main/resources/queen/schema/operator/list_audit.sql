create function :api.list_audit(
    actor text, action text, target text, from_at timestamptz, to_at timestamptz, before_id bigint, max_records int)
returns text
language sql stable
as $$
-- Promise:  returns a page of the audit log, newest first.
-- Params:   null means any; before_id: only records before this id, for the next page.
-- Returns:  {records: [{id, at, actor, address, action, target, before, after}], pagination: {limit, next}}; next is null on the last page.
-- Locks:    none.
-- Writes:   nothing
    with page as (
        select a.id, a.at, a.actor, a.address, a.action, a.target, a.before, a.after
        from queen.audit a
        where (list_audit.actor is null or a.actor = list_audit.actor)
          and (list_audit.action is null or a.action = list_audit.action)
          and (list_audit.target is null or a.target = list_audit.target)
          and (from_at is null or a.at >= from_at)
          and (to_at is null or a.at <= to_at)
          and (before_id is null or a.id < before_id)
        order by a.id desc
        limit max_records
    )
    select json_build_object(
        'records', coalesce((
            select json_agg(json_build_object(
                'id', p.id, 'at', :api.iso_millis(p.at), 'actor', p.actor, 'address', p.address, 'action', p.action, 'target', p.target,
                'before', p.before, 'after', p.after) order by p.id desc)
            from page p), '[]'),
        'pagination', json_build_object(
            'limit', max_records,
            'next', (select min(p.id) from page p having count(*) = max_records)))::text;
$$;
