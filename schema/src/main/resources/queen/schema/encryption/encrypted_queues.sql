create function :api.encrypted_queues()
returns table (queue_id uuid, checked_at timestamptz, letters_key text, letters_to timestamptz, now timestamptz)
language plpgsql volatile
as $$
-- Promise:  records the encrypted queues, and deletes the records of deleted queues.
-- Params:   none; a shard is selected.
-- Returns:  one row per queue that is or was encrypted, with the progress of upkeep in this shard.
-- Locks:    the rows it writes.
-- Writes:   queen.key_queue, queen.key_run, queen.key_cover
#variable_conflict use_column
begin
    insert into queen.key_queue (queue_id, shard)
    select q.id, current_schema() from queen.queue q where q.encryption_enabled
    on conflict (queue_id, shard) do nothing;
    delete from queen.key_run r where not exists (select from queen.queue q where q.id = r.queue_id);
    delete from queen.key_cover c where not exists (select from queen.queue q where q.id = c.queue_id);
    delete from queen.key_queue k where not exists (select from queen.queue q where q.id = k.queue_id);
    return query
    select k.queue_id, k.checked_at, k.letters_key, k.letters_to, clock_timestamp()
    from queen.key_queue k
    where k.shard = current_schema()
    order by k.queue_id;
end
$$;
