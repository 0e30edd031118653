create function :api.refresh_depths(actor text, is_forced boolean, min_age_ms bigint)
returns text
language plpgsql volatile
as $$
-- Promise:  the sums over the lanes of queues and groups follow what happened since they were last refreshed. The work grows
--           with that and not with the lanes there are: looked at are lanes pushed to, cursors opened and lanes revised since
--           then, lanes with something unread (20,000 at a time, in turn), and a few others in case something was missed.
-- Params:   is_forced: also when they were refreshed a moment ago, with all lanes in which something is unread.
-- Returns:  {success, partition: {counted}, …}, or {skipped, reason} when there was nothing to do.
-- Locks:    an advisory lock, so that one session counts at a time; queen.queue rows of new queues, for key share, never waiting.
-- Writes:   queen.lane_depth, queen.queue_depth, queen.group_depth, queen.depth_turn; queen.audit when forced
#variable_conflict use_column
declare
    lock_key constant   bigint := 7165110007;
    open_max constant   int := 20000;
    others_max constant int := 1000;
    at          timestamptz := clock_timestamp();
    turn        queen.depth_turn;
    since       timestamptz;
    revised     uuid[];
    revisions   bigint[];
    open_lanes  uuid[];
    others      uuid[];
    counted     int;
    nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
    if is_forced then
        perform pg_advisory_xact_lock(lock_key);
    elsif not pg_try_advisory_xact_lock(lock_key) then
        return json_build_object('skipped', true, 'reason', 'another server is counting')::text;
    end if;
    select * into turn from queen.depth_turn;
    if not is_forced and turn.computed_at > at - min_age_ms * interval '1 ms' then
        return json_build_object('skipped', true, 'reason', 'counted a moment ago')::text;
    end if;
    -- A lane's active_at lags ten seconds behind its last push, and what was written before may have been committed since.
    since := turn.since - interval '40 seconds';

    insert into queen.queue_depth (queue_id)
    select q.id
    from queen.queue q
    where not exists (select from queen.queue_depth d where d.queue_id = q.id)
    for key share of q skip locked;

    select array_agg(q.id), array_agg(q.revision)
    into revised, revisions
    from queen.queue q
    join queen.queue_depth d on d.queue_id = q.id
    where d.revision <> q.revision;

    open_lanes := array(
        select d.partition_id
        from queen.lane_depth d
        where d.oldest_at is not null
          and (is_forced or d.partition_id > turn.open_after)
        order by d.partition_id
        limit case when not is_forced then open_max end);
    others := array(
        select d.partition_id
        from queen.lane_depth d
        where d.partition_id > turn.all_after
        order by d.partition_id
        limit others_max);

    counted := :api.count_lanes(array(
        select p.id
        from queen.queue q
        cross join lateral (select p.id from queen.partition p where p.queue_id = q.id and p.active_at >= since offset 0) p
        union
        select c.partition_id from queen.cursor c where c.created_at >= since
        union
        select r.partition_id from queen.revised_lane r where r.revised_at >= since
        union
        select p.id from queen.partition p where p.queue_id = any (revised)
        union
        select unnest(open_lanes)
        union
        select unnest(others)));

    update queen.queue_depth d
    set revision = r.revision
    from unnest(revised, revisions) as r (queue_id, revision)
    where d.queue_id = r.queue_id;
    delete from queen.group_depth g where g.partitions = 0;
    -- Every lane with something unread was looked at: the oldest message seen is the oldest there is.
    if is_forced or cardinality(open_lanes) < open_max then
        update queen.group_depth g
        set oldest_at = g.oldest_seen,
            oldest_seen = null
        where g.oldest_at is not null
           or g.oldest_seen is not null;
    end if;

    update queen.depth_turn
    set since = at,
        open_after = case when is_forced or cardinality(open_lanes) < open_max then nobody else open_lanes[open_max] end,
        all_after = case when cardinality(others) < others_max then nobody else others[others_max] end,
        computed_at = at;
    if is_forced then
        perform :api.audit(actor, 'refresh', 'stats', null, null);
    end if;
    return json_build_object(
        'success', true, 'partition', json_build_object('counted', counted),
        'queue', json_build_object('counted', (select count(*) from queen.queue_depth)),
        'namespace', json_build_object(), 'task', json_build_object(), 'system', json_build_object(),
        'cleanup', json_build_object())::text;
end
$$;
