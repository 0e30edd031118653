create function :api.report_presence(
    server_id uuid, queue_names text[], group_names text[], waiting int[], leases int[], lease_ms bigint[],
    lease_ids uuid[], lease_partition_ids uuid[], lease_group_names text[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  stores the present consumers of a server, in place of its previous report.
-- Params:   the server; arrays of equal length, one element per queue and group: waiting pops, live leases, and in how many milliseconds
--           the last of them expires. Then arrays of equal length, one element per partition of leases without a recent call on this
--           server.
-- Returns:  the position of each of those leases that has ended: another server or routine may have ended it.
-- Locks:    the server's queen.presence row.
-- Writes:   queen.presence
#variable_conflict use_column
declare
    at          timestamptz := clock_timestamp();
    until_ats   timestamptz[] := array(
        select case when m.ms > 0 then at + m.ms * interval '1 ms' end from unnest(lease_ms) with ordinality as m (ms, index) order by m.index);
begin
    insert into queen.presence as p (server_id, seen_at, queue_names, group_names, waiting, leases, leased_until)
    values (report_presence.server_id, at, report_presence.queue_names, report_presence.group_names, report_presence.waiting,
            report_presence.leases, until_ats)
    on conflict (server_id) do update
    set seen_at = excluded.seen_at, queue_names = excluded.queue_names, group_names = excluded.group_names,
        waiting = excluded.waiting, leases = excluded.leases, leased_until = excluded.leased_until;

    return query
    select i.index::int
    from unnest(lease_ids, lease_partition_ids, lease_group_names)
         with ordinality as i (lease_id, partition_id, group_name, index)
    left join lateral :newest_cursor(i.partition_id, i.group_name) c on true
    where c.lease_id is distinct from i.lease_id;
end
$$;
