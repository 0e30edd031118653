create function :api.record_letter_check(of_queue uuid, current_key text, upto timestamptz, is_whole boolean, key_ids text[], counts bigint[], sizes bigint[])
returns int
language plpgsql volatile
as $$
-- Promise:  records up to which failure time the dead letters of the queue were checked in this shard, and how many of them are not
--           encrypted with the current key.
-- Params:   the queue; the current key; the time; is_whole: all dead letters were checked, not only later ones; arrays of equal length, one
--           element per other key, empty for clear text.
-- Returns:  the number of keys.
-- Locks:    the rows it writes.
-- Writes:   queen.key_queue, queen.key_cover
#variable_conflict use_column
begin
    update queen.key_queue k set letters_key = current_key, letters_to = upto where k.queue_id = of_queue and k.shard = current_schema();
    if is_whole then
        delete from queen.key_cover c where c.queue_id = of_queue and c.shard = current_schema() and c.kind = 'dead_letter';
    end if;
    insert into queen.key_cover as c (queue_id, shard, kind, key_id, is_bound, count, bytes, counted_at)
    select of_queue, current_schema(), 'dead_letter', i.key_id, false, i.count, i.size, clock_timestamp()
    from unnest(key_ids, counts, sizes) as i (key_id, count, size)
    on conflict (queue_id, shard, kind, key_id, is_bound)
    do update set count = greatest(c.count, excluded.count), bytes = greatest(c.bytes, excluded.bytes), counted_at = excluded.counted_at;
    return cardinality(key_ids);
end
$$;
