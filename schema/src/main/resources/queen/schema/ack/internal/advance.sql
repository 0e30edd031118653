create function :api.advance(
    indexes int[], partition_ids uuid[], group_names text[], finished int8multirange[], dead_counts int[],
    skipped_counts int[] default null)
returns table (index int, committed bigint, acked int8multirange, is_released boolean)
language plpgsql volatile
as $$
-- Promise:  marks offsets as finished: committed moves over the longest finished prefix, and never back. The lease ends when its whole
--           range is finished. Failure records of finished messages are deleted.
-- Params:   arrays of equal length, each (partition, group) once; the caller has locked the cursor rows. dead_counts, skipped_counts: how
--           many of the finished messages were dead-lettered, or skipped by an operator.
-- Returns:  one row per element.
-- Locks:    none of its own.
-- Writes:   cursor, failure
#variable_conflict use_column
declare
    places              tid[];
    committed_befores   bigint[];
    acked_befores       int8multirange[];
    lease_ends          bigint[];
    failing             boolean[];
    positions           int[];
    partitions          uuid[];
    groups              text[];
    finished_ranges     int8multirange[];
    dead                int[];
    skipped             int[];
begin
    select array_agg(c.tid), array_agg(c.committed), array_agg(c.acked), array_agg(c.lease_end), array_agg(c.is_failing),
           array_agg(i.index), array_agg(i.partition_id), array_agg(i.group_name), array_agg(i.finished), array_agg(i.dead_count),
           array_agg(i.skipped_count)
    into places, committed_befores, acked_befores, lease_ends, failing, positions, partitions, groups, finished_ranges, dead, skipped
    from unnest(indexes, partition_ids, group_names, finished, dead_counts, skipped_counts)
         as i (index, partition_id, group_name, finished, dead_count, skipped_count)
    cross join lateral :newest_cursor_row(i.partition_id, i.group_name) c;
    return query
    select m.index, m.committed, m.acked, m.is_released
    from :api.advance_at(
        positions, places, committed_befores, acked_befores, lease_ends, failing, partitions, groups, finished_ranges, dead, skipped) m;
end
$$;
