create function :api.renew(lease_ids uuid[], seconds int[])
returns table (index int, until_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  each lease that is still live lasts at least this many seconds more, in every lane it covers; a dead one stays dead.
-- Params:   arrays of equal length, each lease once.
-- Returns:  one row per live lease: when the first of its lanes will be free again.
-- Locks:    queen.cursor rows, ascending by (partition_id, group_name).
-- Writes:   queen.cursor
#variable_conflict use_column
begin
    return query
    with locked as (
        select o.index, seconds[o.index] as seconds, c.partition_id, c.group_name,
               o.lease_id as wanted_lease_id, c.lease_id, c.lease_until
        from :api.lanes_of(lease_ids) o
        join queen.cursor c on c.partition_id = any (array[o.partition_id]) and c.group_name = o.group_name
        order by o.partition_id, o.group_name
        for update of c
    ), renewed as (
        update queen.cursor c
        set lease_until = greatest(l.lease_until, clock_timestamp() + make_interval(secs => l.seconds))
        from locked l
        where l.lease_id = l.wanted_lease_id
          and l.lease_until > clock_timestamp()
          and c.partition_id = any (array[l.partition_id])
          and c.group_name = l.group_name
        returning l.index, c.lease_until
    )
    select r.index, min(r.lease_until)
    from renewed r
    group by r.index;
end
$$;
