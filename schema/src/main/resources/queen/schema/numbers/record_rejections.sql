create function :api.record_rejections(actors text[], addresses text[], actions text[], reasons text[], paths text[], counts bigint[])
returns int
language sql volatile
as $$
-- Promise:  records rejected operator actions in the audit log.
-- Params:   arrays of equal length: the subject of the token, or null; the address of the client; the route; the reason; the path of the
--           last request; the number of requests.
-- Returns:  the number of records.
-- Locks:    none.
-- Writes:   queen.audit
    with added as (
        insert into queen.audit (actor, address, action, target, after)
        select coalesce(r.actor, 'anonymous'), r.address, 'rejected', r.action,
               jsonb_build_object('reason', r.reason, 'path', r.path, 'count', r.count)
        from unnest(actors, addresses, actions, reasons, paths, counts) as r (actor, address, action, reason, path, count)
        returning 1
    )
    select count(*)::int from added;
$$;
