create function :api.seek_page(
    partition_ids uuid[], group_name text, is_moved boolean, target text, after_at timestamptz, marked_at timestamptz,
    out processed int, out changed bigint, out messages bigint, out is_more boolean)
language plpgsql volatile
as $$
-- Promise:  moves the cursors of the group in these partitions, if the partitions have ever had messages: to the end, to the first stored
--           message, or to the first message after a time. A cursor beyond the end at marked_at does not move.
-- Params:   partitions of the current shard; is_moved: existing cursors are moved, otherwise only missing ones are created; target: end,
--           beginning or timestamp; after_at: the time, for timestamp; marked_at: messages stored at or after this time are after the end;
--           null: the end is the head.
-- Returns:  processed: the number of partitions; changed: the number of cursors that were created or moved.
-- Locks:    what seek locks.
-- Writes:   what seek writes
#variable_conflict use_column
declare
    places  record;
begin
    processed := coalesce(cardinality(partition_ids), 0);
    changed := 0;
    messages := 0;
    is_more := false;
    -- Must be read before any cursor is placed: a message that is stored meanwhile is after all of them.
    select array_agg(p.id order by p.id) as ids, array_agg(p.place order by p.id) as places
    into places
    from (
        select p.id,
               case when target = 'beginning' then p.tail
                    -- The next delivered message is strictly after the time.
                    when target = 'timestamp' then case when p.last_push_at <= after_at then p.head
                         else :offset_at(p.id, p.tail, p.head, after_at + interval '1 microsecond') end
                    when p.last_push_at >= seek_page.marked_at then :offset_at(p.id, p.tail, p.head, seek_page.marked_at)
                    else p.head end as place
        from unnest(seek_page.partition_ids) as i (id)
        cross join lateral :newest_partition(i.id) p
        where p.head > 0
    ) p
    where target <> 'end'
       or seek_page.marked_at is null
       or not exists (
           select 1 from cursor c
           where c.partition_id = p.id and c.group_name = seek_page.group_name and c.committed >= p.place
           offset 0);
    if places.ids is not null then
        if is_moved then
            changed := :api.seek(places.ids, seek_page.group_name, places.places);
        else
            changed := cardinality(:api.insert_cursors(
                places.ids, array_fill(seek_page.group_name, array[cardinality(places.ids)]), places.places));
        end if;
    end if;
end
$$;
