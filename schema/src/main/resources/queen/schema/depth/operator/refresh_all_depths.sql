create function :api.refresh_all_depths(actor text)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  what refresh_depths promises when it is forced, for every shard.
-- Params:   who asks for it.
-- Returns:  {success, isComplete, partition: {counted}, queue: {counted}, …}, of all shards together.
-- Locks:    what refresh_depths locks, shard by shard.
-- Writes:   what refresh_depths writes
declare
    shard   text;
    answer  json;
    counted bigint := 0;
    is_all  boolean := true;
begin
    foreach shard in array :api.shards() loop
        perform :api.enter(shard);
        answer := :api.refresh_depths(actor, true, 0);
        counted := counted + (answer #>> '{partition,counted}')::bigint;
        is_all := is_all and (answer ->> 'isComplete')::boolean;
    end loop;
    perform :api.enter('queen');
    return json_build_object(
        'success', true, 'isComplete', is_all, 'partition', json_build_object('counted', counted),
        'queue', json_build_object('counted', (select count(*) from queue_depth)),
        'namespace', json_build_object(), 'task', json_build_object(), 'system', json_build_object(),
        'cleanup', json_build_object())::text;
end
$$;
