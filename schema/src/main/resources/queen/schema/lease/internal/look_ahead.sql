create function :api.look_ahead(
    partition_ids uuid[], group_names text[], lease_ids uuid[], batches int[], delay_seconds int[], soles boolean[],
    byte_rooms bigint[], is_auto_ack boolean, held bigint[], at timestamptz,
    out partition_ends bigint[], out stops bigint[], out lasts boolean[], out crowds boolean[], out tries text[],
    out due_ends bigint[], out due_ats timestamptz[])
language plpgsql volatile
as $$
-- Promise:  what lease has to know of unusual partitions: those in which something failed, whose messages are held back for a while, or
--           of which not all has room.
-- Params:   as in lease; held: the input positions of the cursors that are locked.
-- Returns:  arrays by input position, null where there is nothing to know, or when there is nothing to know of any partition. partition_ends: where
--           what has room ends; stops, lasts, tries: next_stop, is_last and attempts of failures_ahead; crowds: whether there are
--           partitions under the lease id that the message would have to be alone under; due_ends, due_ats: as in due_until.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    candidate   record;
    ahead       record;
begin
    for candidate in
        select i.index, i.partition_id, i.group_name, i.lease_id, i.delay_s, i.is_sole, i.byte_room, c.lease_id as holder, c.lease_end,
               c.is_failing, r.acked, f.first, :batch_end(f.first, i.batch, p.head) as "end", p.largest_line
        from unnest(partition_ids, group_names, lease_ids, batches, delay_seconds, soles, byte_rooms)
             with ordinality as i (partition_id, group_name, lease_id, batch, delay_s, is_sole, byte_room, index)
        cross join lateral :newest_cursor(i.partition_id, i.group_name) c
        cross join lateral :newest_partition(i.partition_id) p
        cross join lateral (
            select case when p.removed is null then c.acked else coalesce(c.acked, '{}') + p.removed end as acked
        ) r
        cross join lateral (select :api.first_unfinished(c.committed, p.tail, r.acked) as first offset 0) f
        where i.index = any (held)
          and (c.is_failing or i.delay_s > 0
               or :has_room(f.first, :batch_end(f.first, i.batch, p.head), p.largest_line, i.byte_room) is not true)
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
        elsif :has_room(candidate.first, candidate."end", candidate.largest_line, candidate.byte_room) is not true then
            candidate."end" := :api.end_within(candidate.partition_id, candidate.first, candidate."end", candidate.byte_room);
        end if;
        partition_ends[candidate.index] := candidate."end";
        if candidate.is_failing then
            select f.is_last, f.next_stop, f.attempts into ahead
            from :api.failures_ahead(
                candidate.partition_id, candidate.group_name, candidate.first, candidate."end", candidate.acked, candidate.holder is not null, is_auto_ack, at) f;
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
