create function :api.roll_off_audit(keep_days int, rows_max int)
returns int
language plpgsql volatile
as $$
-- Promise:  deletes records of the audit log older than keep_days, and expired revocations.
-- Params:   keep_days; rows_max: how many rows to delete of each table.
-- Returns:  the maximum number of rows deleted of one table; if it is rows_max, there may be more.
-- Locks:    the rows.
-- Writes:   queen.audit, queen.token_revocation, queen.token_revocation_version
declare
    records     int;
    expired     int;
begin
    delete from queen.audit a
    where a.id in (select o.id from queen.audit o where o.at < clock_timestamp() - make_interval(days => keep_days)
                   order by o.at limit rows_max);
    get diagnostics records = row_count;
    delete from queen.token_revocation r
    where r.id in (select o.id from queen.token_revocation o where o.expires_at < clock_timestamp() order by o.expires_at limit rows_max);
    get diagnostics expired = row_count;
    if expired > 0 then
        update queen.token_revocation_version v set version = v.version + 1 where v.is_the_only_row;
    end if;
    return greatest(records, expired);
end
$$;
