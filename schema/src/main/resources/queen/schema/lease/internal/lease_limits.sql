create function :api.lease_limits(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], delay_seconds int[], soles boolean[],
    byte_limits bigint[], is_auto_ack boolean, locked bigint[], at timestamptz,
    out partition_ends bigint[], out stops bigint[], out lasts boolean[], out crowds boolean[], out tries text[],
    out due_ends bigint[], out due_ats timestamptz[])
language plpgsql volatile
as $$
-- Promise:  returns the limits of leases of unusual partitions: with failures, with delayed delivery, or with more messages than fit the
--           byte limit.
-- Params:   as in lease; locked: the input positions of the locked cursors.
-- Returns:  arrays by input position, null for partitions without limits; null arrays if no partition has limits. partition_ends: the end
--           of the messages that fit; stops, lasts, tries: next_stop, is_last and attempts of failures_ahead; crowds: the lease id covers
--           a partition already, so the message at its last attempt would not be alone; due_ends, due_ats: as in due_until.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    candidate   record;
    ahead       record;
begin
    for candidate in
        select i.index, i.partition_id, i.group_name, i.lease_id, i.delay_s, i.is_sole, i.byte_limit, c.lease_id as holder, c.lease_end,
               c.is_failing, r.acked, f.first, :batch_end(f.first, i.batch, p.head) as "end", p.largest_line
        from unnest(partition_ids, group_names, lease_ids, batches, delay_seconds, soles, byte_limits)
             with ordinality as i (partition_id, group_name, lease_id, batch, delay_s, is_sole, byte_limit, index)
        cross join lateral :newest_cursor(i.partition_id, i.group_name) c
        cross join lateral :newest_partition(i.partition_id) p
        cross join lateral (
            select case when p.removed is null then c.acked else coalesce(c.acked, '{}') + p.removed end as acked
        ) r
        cross join lateral (select :api.first_unfinished(c.committed, p.tail, r.acked) as first offset 0) f
        where i.index = any (locked)
          and (c.is_failing or i.delay_s > 0
               or :fits(f.first, :batch_end(f.first, i.batch, p.head), p.largest_line, i.byte_limit) is not true)
    loop
        if partition_ends is null then
            partition_ends := array_fill(null::bigint, array[cardinality(partition_ids)]);
            stops := partition_ends;
            due_ends := partition_ends;
            lasts := array_fill(null::boolean, array[cardinality(partition_ids)]);
            crowds := lasts;
            tries := array_fill(null::text, array[cardinality(partition_ids)]);
            due_ats := array_fill(null::timestamptz, array[cardinality(partition_ids)]);
        end if;
        if candidate.holder is not null then
            candidate."end" := candidate.lease_end;
        elsif :fits(candidate.first, candidate."end", candidate.largest_line, candidate.byte_limit) is not true then
            candidate."end" := :api.end_within(candidate.partition_id, candidate.first, candidate."end", candidate.byte_limit);
        end if;
        partition_ends[candidate.index] := candidate."end";
        if candidate.is_failing then
            select f.is_last, f.next_stop, f.attempts into ahead
            from :api.failures_ahead(
                candidate.partition_id, candidate.group_name, candidate.first, candidate."end", candidate.acked, candidate.holder is not null,
                is_auto_ack, at) f;
            lasts[candidate.index] := ahead.is_last;
            stops[candidate.index] := ahead.next_stop;
            tries[candidate.index] := ahead.attempts;
            crowds[candidate.index] := ahead.is_last and candidate.is_sole is not true
                                  and exists (select 1 from :api.partitions_of(array[candidate.lease_id]));
        end if;
        if candidate.delay_s > 0 then
            select d.due_end, d.due_at into ahead
            from :api.due_until(candidate.partition_id, candidate.first, candidate."end", candidate.delay_s, at) d;
            due_ends[candidate.index] := ahead.due_end;
            due_ats[candidate.index] := ahead.due_at;
        end if;
    end loop;
end
$$;
