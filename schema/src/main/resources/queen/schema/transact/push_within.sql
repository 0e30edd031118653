create function :api.push_within(
    queue text, partition text, payload text, transaction_id text, headers json default null, trace_id uuid default null)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  appends a message to a partition, inside the transaction of the caller: it is visible at the commit. The partition stays locked
--           until then, so offsets follow the order of commits. Nothing else is locked.
-- Params:   payload: JSON; transaction_id: null for a unique one; headers: an object of strings, null for none; trace_id: null for none.
-- Returns:  queued, or duplicate if a message with that transactionId was accepted less than the deduplication window ago and is one of the
--           last window_messages messages of the partition. With a window of 0 there are no duplicates. QN005: the queue does not support
--           this function, with the reason.
-- Locks:    the partition row, waiting.
-- Writes:   partition, partition_key, segment, queen.commitment
#variable_conflict use_column
declare
    window_messages constant bigint := 100000;
    key             text := coalesce(transaction_id, gen_random_uuid()::text);
    hash            bytea := int8send(hashtextextended(key, 0));
    ours            queen.queue;
    window_seconds  int;
    target_id       uuid;
    head_is         bigint;
    pushed_at       timestamptz;
    since           timestamptz;
    place           tid;
    body            bytea;
begin
    perform :api.require_name(queue, 'the queue'), :api.require_name(partition, 'the partition'),
            :api.require_name(key, 'the transaction_id');
    select * into ours from queen.queue q where q.name = push_within.queue;
    if not found then
        raise exception 'there is no queue "%"', queue using errcode = 'QN005', hint = 'Configure it first.';
    end if;
    -- With an older snapshot the queue may appear unencrypted: this statement then fails.
    if current_setting('transaction_isolation') <> 'read committed' then
        perform from queen.queue q where q.id = ours.id for share;
    end if;

    window_seconds := coalesce(ours.dedup_window_s, 3600);
    target_id := :api.partition_id(ours.id, partition);
    perform :api.select_shard(:api.shard_of(target_id));
    loop
        select p.head, p.last_push_at, p.ctid into head_is, pushed_at, place
        from partition p
        where p.id = target_id
        order by p.generation desc
        limit 1
        for no key update;
        exit when found;
        if not :api.insert_partitions(array[target_id], array[ours.id], array[partition]) then
            perform :api.restore_partitions(array[target_id]);
        end if;
        if not exists (select 1 from queen.queue q where q.id = ours.id) then
            raise exception 'the queue "%" was deleted', queue using errcode = 'QN005';
        end if;
    end loop;

    -- The partition is locked, so only the segments of the deduplication window are read.
    since := :api.pushed_at(clock_timestamp(), pushed_at) - make_interval(secs => window_seconds);
    if transaction_id is not null and window_seconds > 0 and :api.find_stored(
        target_id, key, :offset_at(target_id, greatest(head_is - window_messages, 0), head_is, since + interval '1 microsecond'), since) is not null
    then
        return 'duplicate';
    end if;

    body := convert_to(:api.stored_line(key, payload, headers, trace_id), 'UTF8');
    pushed_at := :api.pushed_at(clock_timestamp(), pushed_at);
    -- The options must be checked in the statement that stores, as in push.
    insert into segment (partition_id, base, count, created_at, hashes, body)
    select target_id, head_is, 1, pushed_at, hash, body
    where exists (select 1 from queen.queue q where q.id = ours.id and not q.encryption_enabled and q.max_size = 0)
      and not (select s.push_maintenance from queen.system_state s where s.is_the_only_row);
    if not found then
        raise exception using errcode = 'QN005', message = (
            select case when s.push_maintenance then 'pushes are switched off for maintenance'
                        else format('the queue "%s" is encrypted or has a maxSize', queue) end
            from queen.system_state s where s.is_the_only_row),
            hint = 'Push to such a queue through a server.';
    end if;
    update partition p
    set head = p.head + 1,
        last_push_at = pushed_at,
        largest_line = case when p.head = p.tail or p.largest_line < octet_length(body) then octet_length(body)
                            else p.largest_line end,
        :written(p)
    where p.ctid = place
      and p.id = target_id
      and p.head = head_is;
    if not found then
        raise exception 'the shard of the partition was moved to another node meanwhile: try again' using errcode = '40001';
    end if;
    insert into queen.commitment (queue_name, partition_id)
    select ours.name, target_id
    where not exists (
        select 1 from queen.commitment c
        where c.transaction = pg_current_xact_id() and c.partition_id = target_id and c.group_name is null);
    return 'queued';
end
$$;
