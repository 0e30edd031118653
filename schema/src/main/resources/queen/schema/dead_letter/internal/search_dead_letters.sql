create function :api.search_dead_letters(
    queue_id uuid, partition text, group_name text, error text, from_at timestamptz, to_at timestamptz, transaction_ids text[],
    rows_max bigint, is_newest boolean, scope uuid[] default null, sealed_errors text[] default null)
returns table (
    target_id uuid, reader text, place bigint, of_queue uuid, at timestamptz, reason text)
language plpgsql stable
as $$
-- Promise:  returns the dead letters that match all given filters.
-- Params:   null means any; partition: the name of the partition; error: a substring of the error text, ignoring case; from_at, to_at:
--           range of failed_at; rows_max: the maximum number per shard, the newest or the oldest failures; scope: only these queues;
--           sealed_errors: forms in which the whole error text may be stored encrypted.
-- Returns:  their keys, time and error; if no shard is selected, those of all shards, in no order.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    sought  uuid := :api.partition_id($1, $2);
    shard   text;
begin
    if current_schema() = 'queen' then
        foreach shard in array :api.shards() loop
            perform :api.select_shard(shard);
            return query select d.* from :api.search_dead_letters($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) d;
        end loop;
        perform :api.select_shard('queen');
    elsif is_newest then
        return query
        select d.partition_id, d.group_name, d.message_offset, d.queue_id, d.failed_at, d.error
        from dead_letter d
        where :matches_filter(d, $1, sought, $2, $3, $4, $5, $6, $7, $11)
          and (scope is null or d.queue_id = any (scope))
        order by d.failed_at desc, d.partition_id, d.message_offset desc, d.group_name
        limit rows_max;
    else
        return query
        select d.partition_id, d.group_name, d.message_offset, d.queue_id, d.failed_at, d.error
        from dead_letter d
        where :matches_filter(d, $1, sought, $2, $3, $4, $5, $6, $7, $11)
          and (scope is null or d.queue_id = any (scope))
        order by d.failed_at, d.partition_id, d.group_name, d.message_offset
        limit rows_max;
    end if;
end
$$;
