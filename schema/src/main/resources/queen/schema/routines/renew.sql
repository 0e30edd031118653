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
declare
    held_indexes    int[];
    held_partitions uuid[];
    held_groups     text[];
begin
    select array_agg(o.index), array_agg(o.partition_id), array_agg(o.group_name)
    into held_indexes, held_partitions, held_groups
    from :api.lanes_of(lease_ids) o;
    perform :api.lock_cursors(held_partitions, held_groups);

    return query
    with renewed as (
        update queen.cursor c
        set lease_until = greatest(n.lease_until, clock_timestamp() + make_interval(secs => seconds[l.index])),
            writes = c.writes + 1,
            generation = (c.writes + 1) / 256
        from unnest(held_indexes, held_partitions, held_groups) as l (index, partition_id, group_name)
        cross join lateral :api.cursor_of(l.partition_id, l.group_name) n
        where c.ctid = n.tid
          and n.lease_id = lease_ids[l.index]
          and n.lease_until > clock_timestamp()
        returning l.index, c.lease_until
    )
    select r.index, min(r.lease_until)
    from renewed r
    group by r.index;
end
$$;
