create function :api.current_consumers()
returns table (queue_name text, group_name text, waiting bigint, leases bigint, consumers bigint)
language plpgsql stable
as $$
-- Promise:  returns the present consumers as reported by the servers; reads no partitions or cursors.
-- Params:   none.
-- Returns:  one row per queue and group with consumers: waiting pops, live leases, and the number of consumers: at least one for each
--           server with a recent pop.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    select c.queue_name, c.group_name, sum(c.waiting)::bigint, sum(c.leases)::bigint, sum(greatest(c.waiting + c.leases, 1))::bigint
    from (
        select u.queue_name, u.group_name,
               -- Pops that waited on a stopped server do not wait any more.
               case when p.seen_at > clock_timestamp() - interval '10 seconds' then u.waiting else 0 end as waiting,
               case when u.leased_until > clock_timestamp() then u.leases else 0 end as leases
        from queen.presence p
        cross join lateral unnest(p.queue_names, p.group_names, p.waiting, p.leases, p.leased_until)
             as u (queue_name, group_name, waiting, leases, leased_until)
        where p.seen_at > clock_timestamp() - interval '10 seconds'
           or u.leased_until > clock_timestamp()
    ) c
    group by c.queue_name, c.group_name;
end
$$;
