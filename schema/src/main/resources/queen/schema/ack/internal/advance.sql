create function :api.advance(
    indexes int[], partition_ids uuid[], group_names text[], finished int8multirange[], dead_counts int[],
    skipped_counts int[] default null)
returns table (index int, committed bigint, acked int8multirange, is_released boolean)
language plpgsql volatile
as $$
-- Promise:  marks offsets as finished: committed moves over the longest finished prefix and never back; the lease ends
--           when its whole range is finished. What is known of failed attempts of finished messages is forgotten.
-- Params:   arrays of equal length, each (partition, group) once; the caller holds the cursors' row locks. dead_counts and
--           skipped_counts: how many of the finished messages were buried, or passed over by an operator's word.
-- Returns:  one row per element.
-- Locks:    none of its own.
-- Writes:   cursor, failure
#variable_conflict use_column
declare
    places          tid[];
    wases           bigint[];
    acked_befores   int8multirange[];
    lease_ends      bigint[];
    failing         boolean[];
    answered        int[];
    partitions      uuid[];
    groups          text[];
    ours            int8multirange[];
    deaths          int[];
    skips           int[];
begin
    select array_agg(c.tid), array_agg(c.committed), array_agg(c.acked), array_agg(c.lease_end), array_agg(c.is_failing),
           array_agg(i.index), array_agg(i.partition_id), array_agg(i.group_name), array_agg(i.finished), array_agg(i.dead_count),
           array_agg(i.skipped_count)
    into places, wases, acked_befores, lease_ends, failing, answered, partitions, groups, ours, deaths, skips
    from unnest(indexes, partition_ids, group_names, finished, dead_counts, skipped_counts)
         as i (index, partition_id, group_name, finished, dead_count, skipped_count)
    cross join lateral :newest_cursor_row(i.partition_id, i.group_name) c;
    return query
    select m.index, m.committed, m.acked, m.is_released
    from :api.advance_at(
        answered, places, wases, acked_befores, lease_ends, failing, partitions, groups, ours, deaths, skips) m;
end
$$;
