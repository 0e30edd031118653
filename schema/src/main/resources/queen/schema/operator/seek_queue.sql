create function :api.seek_queue(
    actor text, group_name text, queue text, is_to_end boolean, is_to_beginning boolean, after_at timestamptz,
    is_reader_only boolean default false)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
as $$
-- Promise:  the group goes on at another place in every lane of the queue that holds messages, all at once: at the head, at the
--           first message kept, or at the first one after a moment. Leases are over. Lanes that come later are read
--           accordingly. A group that has not read the queue yet will begin there, whatever its first pop says.
-- Params:   one of is_to_end, is_to_beginning and after_at; is_reader_only: only a group that reads the queue, so that a mistyped
--           name begins nothing.
-- Returns:  {success, consumerGroup, queueName, seekToEnd, seekToBeginning, targetTimestamp, partitionsUpdated}; the last is 0 for a
--           group that has not read the queue yet, which had no place to be moved from; null when there is no such queue, or no such reader.
-- Locks:    the queen.queue row; the queen.queue_size row; then, shard by shard, the group's cursor rows, ascending by partition_id; queen.catalog.
-- Writes:   queen.queue_size, cursor, cursor_key, failure, queen.subscription, queen.queue, queen.catalog, queen.audit
#variable_conflict use_column
declare
    sought  queen.queue;
    shard   text;
    here    record;
    lanes   uuid[] := '{}';
    places  bigint[] := '{}';
    placed  bigint := 0;
    part    record;
    is_here boolean;
begin
    if is_to_end::int + is_to_beginning::int + (after_at is not null)::int <> 1 then
        raise exception 'give exactly one of toEnd, toBeginning and timestamp' using errcode = 'QN400';
    end if;
    select q.* into sought from queen.queue q where q.name = seek_queue.queue for no key update;
    if not found then
        return null;
    end if;
    is_here := :api.is_reader(seek_queue.group_name, sought.id);
    if is_reader_only and not is_here then
        return null;
    end if;

    -- Read before any cursor is placed: a message that is pushed meanwhile comes after every one of them.
    foreach shard in array :api.shards() loop
        perform :api.enter(shard);
        select coalesce(array_agg(p.id order by p.id), '{}') as lanes, coalesce(array_agg(p.place order by p.id), '{}') as places
        into here
        from (
            select p.id,
                   case when is_to_end then p.head when is_to_beginning then p.tail
                        when p.last_push_at <= after_at then p.head
                        -- The next message delivered is strictly after the moment.
                        else :offset_at(p.id, p.tail, p.head, after_at + interval '1 microsecond') end as place
            from partition p
            where p.queue_id = sought.id
              and p.head > 0
        ) p;
        lanes := lanes || here.lanes;
        places := places || here.places;
    end loop;
    perform :api.enter('queen');
    for part in select * from :api.shard_parts(lanes) loop
        perform :api.enter(part.shard);
        placed := placed + :api.seek(
            array(select lanes[i] from unnest(part.indexes) i), seek_queue.group_name, array(select places[i] from unnest(part.indexes) i));
    end loop;

    if seek_queue.group_name <> '__QUEUE_MODE__' then
        insert into queen.subscription as s (group_name, queue_name, namespace, task, mode, from_at, is_sought)
        values (seek_queue.group_name, seek_queue.queue, '', '',
                case when is_to_end then 'new' when is_to_beginning then 'all' else 'timestamp' end,
                after_at + interval '1 microsecond', not is_here)
        on conflict (group_name, queue_name, namespace, task) do update
        set mode = excluded.mode, from_at = excluded.from_at;
        update queen.catalog set subscription_version = subscription_version + 1;
    end if;
    perform :api.queue_revised(sought.id);
    perform :api.audit(actor, 'seek', format('group %s on queue %s', seek_queue.group_name, seek_queue.queue), null,
        jsonb_build_object('toEnd', is_to_end, 'toBeginning', is_to_beginning, 'timestamp', after_at, 'partitions', placed));
    return json_build_object('success', true, 'consumerGroup', seek_queue.group_name, 'queueName', seek_queue.queue,
        'seekToEnd', is_to_end, 'seekToBeginning', is_to_beginning, 'targetTimestamp', :api.iso_millis(after_at),
        'partitionsUpdated', case when is_here then placed else 0 end)::text;
end
$$;
