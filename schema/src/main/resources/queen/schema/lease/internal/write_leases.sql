create function :api.write_leases(
    is_auto_ack boolean, at timestamptz, partitions uuid[], groups text[], holders uuid[], places tid[], firsts bigint[], ends bigint[],
    reached bigint[], left_over int8multirange[], completed bigint[], untils timestamptz[], given boolean[], passing boolean[],
    alone boolean[])
returns void
language plpgsql volatile
as $$
-- Promise:  stores the decisions of lease: partitions are leased, or with is_auto_ack their messages are finished. If all remaining
--           messages were removed, the cursor moves over them, so that the partition does not look pending.
-- Params:   arrays of equal length, each cursor once, whose row the caller has locked; places: ctid of the row; firsts, ends: the leased
--           range; reached: committed after is_auto_ack; completed: the number of messages that is_auto_ack finishes; left_over: offsets
--           finished ahead of committed; given, passing: whether the partition is leased, or only moved over removed messages.
-- Returns:  nothing.
-- Locks:    none of its own.
-- Writes:   cursor, failure, lease_partitions
#variable_conflict use_column
declare
    written bigint;
begin
    if is_auto_ack then
        update cursor c
        set committed = d.reached,
            acked = d.acked,
            completed_count = c.completed_count + d.completed,
            last_ack_at = at,
            is_alone = d.is_alone,
            is_failing = c.is_failing and exists (
                select 1 from failure x where x.partition_id = c.partition_id and x.group_name = c.group_name
                and x.message_offset + x.message_count > d.reached),
            retry_at = case when c.is_failing then (
                select case when x.message_offset + x.message_count > d.reached then x.retry_at end
                from failure x
                where x.partition_id = c.partition_id and x.group_name = c.group_name and x.message_offset <= d.reached
                order by x.message_offset desc limit 1) else c.retry_at end,
            :written(c)
        from unnest(places, partitions, groups, reached, left_over, completed, alone, given)
             as d (tid, partition_id, group_name, reached, acked, completed, is_alone, is_given)
        where d.is_given and c.ctid = d.tid and (c.partition_id = d.partition_id and c.group_name = d.group_name) is true;
        get diagnostics written = row_count;
        delete from failure x
        using unnest(partitions, groups, reached, given) as d (partition_id, group_name, reached, is_given)
        where d.is_given
          and x.partition_id = any (array[d.partition_id])
          and x.group_name = d.group_name
          and x.message_offset + x.message_count <= d.reached;
    else
        update cursor c
        set committed = d.first,
            acked = d.acked,
            lease_id = d.lease_id,
            lease_until = d.until_at,
            lease_end = d."end",
            is_alone = d.is_alone,
            :written(c)
        from unnest(holders, places, partitions, groups, firsts, left_over, ends, untils, alone, given)
             as d (lease_id, tid, partition_id, group_name, first, acked, "end", until_at, is_alone, is_given)
        where d.is_given and c.ctid = d.tid and (c.partition_id = d.partition_id and c.group_name = d.group_name) is true;
        get diagnostics written = row_count;
        perform :api.record_lease_partitions(
            partitions, array(select case when d.is_given then d.lease_id end
                         from unnest(holders, given) with ordinality as d (lease_id, is_given, index) order by d.index));
    end if;
    -- If Citus has moved the shard meanwhile, another row may have this ctid.
    if written < cardinality(array_positions(given, true)) then
        raise exception 'an argument names a cursor twice, or its shard was moved during the call' using errcode = '40001';
    end if;
    if true = any (passing) then
        update cursor c
        set committed = d.first,
            acked = d.acked,
            :written(c)
        from unnest(places, partitions, groups, firsts, left_over, passing) as d (tid, partition_id, group_name, first, acked, is_passing)
        where d.is_passing and c.ctid = d.tid and (c.partition_id = d.partition_id and c.group_name = d.group_name) is true;
    end if;
end
$$;
