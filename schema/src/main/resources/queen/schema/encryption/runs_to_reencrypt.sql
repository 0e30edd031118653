create function :api.runs_to_reencrypt(
    current_key text, known_keys text[], is_binding boolean, after_partition uuid, after_offset bigint, page int)
returns table (partition_id uuid, queue_id uuid, first bigint, "end" bigint)
language plpgsql stable
as $$
-- Promise:  returns a page of the runs of messages of this shard that must be re-encrypted: with another key, or bound to their offsets.
-- Params:   the key to encrypt with; the keys that the caller has; is_binding: whether messages are bound; the last run of the previous
--           page; the page size.
-- Returns:  one row per run, ascending.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shard   constant text := current_schema();
    runs    record;
begin
    select array_agg(r.partition_id) as ids, array_agg(r.queue_id) as queues, array_agg(r.first_offset) as firsts,
           array_agg(r.end_offset) as ends
    into runs
    from (
        select r.*
        from queen.key_run r
        where r.key_id = any (known_keys)
          and (r.key_id <> current_key or is_binding and not r.is_bound)
          and (r.partition_id, r.first_offset) > (after_partition, after_offset)
          and :api.shard_of(r.partition_id) = shard
        order by r.partition_id, r.first_offset
        limit page
    ) r;
    return query
    select r.id, r.queue_id, r.first, r."end"
    from unnest(runs.ids, runs.queues, runs.firsts, runs.ends) with ordinality as r (id, queue_id, first, "end", place)
    order by r.place;
end
$$;
