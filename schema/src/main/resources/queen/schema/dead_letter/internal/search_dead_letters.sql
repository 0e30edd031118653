create function :api.search_dead_letters(
    queue_id uuid, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz, transaction_ids text[],
    most bigint, is_newest boolean, scope uuid[] default null, sealed_errors text[] default null)
returns table (
    target_id uuid, reader text, place bigint, of_queue uuid, at timestamptz, reason text)
language plpgsql stable
as $$
-- Promise:  the dead letters that match everything that is given.
-- Params:   null means any; partition: the partition's name; error: a part of the error text, in upper or lower case; from_at and
--           to_at: when the message failed for good; how many of a shard at most, the newest failures or the oldest; scope: only
--           these queues; sealed_errors: forms in which the whole error text may be stored encrypted.
-- Returns:  their keys, and what went wrong when; where no shard is entered, those of all of them, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    sought  uuid := :api.partition_id($1, $2);
    shard   text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.enter(shard);
            return query select d.* from :api.search_dead_letters($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) d;
        end loop;
        perform :api.enter('queen');
    elsif is_newest then
        return query
        select d.partition_id, d.group_name, d.message_offset, d.queue_id, d.failed_at, d.error
        from dead_letter d
        where :is_sought(d, $1, sought, $2, $3, $4, $5, $6, $7, $11)
          and (scope is null or d.queue_id = any (scope))
        order by d.failed_at desc, d.partition_id, d.message_offset desc, d.group_name
        limit most;
    else
        return query
        select d.partition_id, d.group_name, d.message_offset, d.queue_id, d.failed_at, d.error
        from dead_letter d
        where :is_sought(d, $1, sought, $2, $3, $4, $5, $6, $7, $11)
          and (scope is null or d.queue_id = any (scope))
        order by d.failed_at, d.partition_id, d.group_name, d.message_offset
        limit most;
    end if;
end
$$;
