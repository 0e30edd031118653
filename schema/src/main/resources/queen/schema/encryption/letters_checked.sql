create function :api.letters_checked(of_queue uuid, current_key text, upto timestamptz, is_whole boolean, key_ids text[], counts bigint[], sizes bigint[])
returns int
language plpgsql volatile
as $$
-- Promise:  records up to which failure the dead letters of the queue were looked at in this shard, and how many of them are not
--           encrypted with the current key.
-- Params:   the queue; the current key; the moment; whether all dead letters were looked at, and not only later ones; arrays of equal
--           length, one element per other key, empty for clear text.
-- Returns:  how many keys were given.
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
