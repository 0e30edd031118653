create function :api.renew(lease_ids uuid[], seconds int[])
returns table (index int, until_at timestamptz, is_busy boolean)
language plpgsql volatile
as $$
-- Promise:  extends each live lease to at least this many seconds from now, in every partition that it covers; an expired lease is not
--           changed. A cursor that another transaction has locked is not changed; repeat the call for it.
-- Params:   arrays of equal length, each lease once.
-- Returns:  one row per live lease: until_at: the earliest end over its partitions; null if is_busy, because one of the cursors is locked.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor
#variable_conflict use_column
declare
    held_indexes    int[];
    held_partitions uuid[];
    held_groups     text[];
    held_leases     uuid[];
    locked          bigint[];
    at              timestamptz;
    until_ats       timestamptz[];
begin
    select array_agg(o.index), array_agg(o.partition_id), array_agg(o.group_name), array_agg(o.lease_id)
    into held_indexes, held_partitions, held_groups, held_leases
    from :api.partitions_of(lease_ids) o;
    locked := :api.lock_free_cursors(held_partitions, held_groups);
    at := clock_timestamp();
    until_ats := array(
        select at + make_interval(secs => seconds[h.index]) from unnest(held_indexes) with ordinality as h (index, place) order by h.place);

    return query
    with renewed as (
        update cursor c
        set lease_until = greatest(n.lease_until, l.until_at),
            :written(c)
        from unnest(held_indexes, held_partitions, held_groups, held_leases, until_ats)
             with ordinality as l (index, partition_id, group_name, lease_id, until_at, place)
        cross join lateral :newest_cursor_row(l.partition_id, l.group_name) n
        where l.place = any (locked)
          and c.ctid = n.tid
          and n.lease_id = l.lease_id
          and n.lease_until > at
        returning l.index, c.lease_until
    ), result as (
        select r.index, r.lease_until, false as is_busy from renewed r
        union all
        select l.index, null, true from unnest(held_indexes) with ordinality as l (index, place) where l.place <> all (locked)
    )
    select t.index, case when not bool_or(t.is_busy) then min(t.lease_until) end, bool_or(t.is_busy)
    from result t
    group by t.index;
end
$$;
