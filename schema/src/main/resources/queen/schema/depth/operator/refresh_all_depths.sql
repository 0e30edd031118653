create function :api.refresh_all_depths(actor text)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  does what a forced refresh_depths does, for every shard.
-- Params:   actor: the caller, for the audit log.
-- Returns:  {success, isComplete, partition: {counted}, queue: {counted}, …}, over all shards.
-- Locks:    what refresh_depths locks, shard by shard.
-- Writes:   what refresh_depths writes
declare
    shard   text;
    result  json;
    counted bigint := 0;
    is_all  boolean := true;
begin
    foreach shard in array :api.shards() loop
        perform :api.select_shard(shard);
        result := :api.refresh_depths(actor, true, 0);
        counted := counted + (result #>> '{partition,counted}')::bigint;
        is_all := is_all and (result ->> 'isComplete')::boolean;
    end loop;
    perform :api.select_shard('queen');
    return json_build_object(
        'success', true, 'isComplete', is_all, 'partition', json_build_object('counted', counted),
        'queue', json_build_object('counted', (select count(*) from queue_depth)),
        'namespace', json_build_object(), 'task', json_build_object(), 'system', json_build_object(),
        'cleanup', json_build_object())::text;
end
$$;
