create function :api.check_cycles(
    indexes int[], query_ids uuid[], partition_ids uuid[], group_names text[], tokens uuid[], are_acks boolean[], lease_ids uuid[],
    ack_offsets bigint[], op_cycles int[], op_keys text[], op_values bytea[], hosts bigint[])
returns table (index int, verdict text, at timestamptz, committed bigint)
language plpgsql volatile
as $$
-- Promise:  returns for each cycle whether it may be applied, and locks the rows that this depends on until the transaction ends.
-- Params:   indexes: the cycles to check, whose partitions are in the selected shard; the others as in cycle.
-- Returns:  one row per cycle; at: the time of its changes, later than that of every earlier cycle of its partition; committed: the
--           position of its group; verdict:
--             go            it may be applied                      busy        a row is locked by another transaction: repeat the call
--             repeated      it was applied before                  lease_gone  its lease is not live, or belongs to another consumer
--             no_query      there is no such query                 leased      it flushes, and a lease on the partition is live
--             no_partition  there is no such partition             stale       it flushes state that has changed since it was read
-- Locks:    queen.stream_query rows, for share; stream_partition rows, ascending by (query_id, partition_id), and for a new one the
--           partition row, for key share; cursor rows, ascending by (partition_id, group_name); never waiting.
-- Writes:   stream_partition
#variable_conflict use_column
declare
    queries     uuid[] := array(
        select q.id from queen.stream_query q where q.id = any (query_ids) order by q.id for share skip locked);
    fresh       int[];
    names       text[];
    partitions  int[];
    cursors     bigint[];
begin
    select array_agg(i.index order by i.query_id, i.partition_id), array_agg(p.name order by i.query_id, i.partition_id)
    into fresh, names
    from (
        select i.index, query_ids[i.index] as query_id, partition_ids[i.index] as partition_id
        from unnest(indexes) as i (index)
        where query_ids[i.index] = any (queries)
        offset 0
    ) i
    cross join lateral (
        -- A deletion of the partition waits for this lock, and then deletes the rows of this cycle.
        select p.name from partition p where p.id = i.partition_id order by p.generation desc limit 1 for key share skip locked
    ) p
    where not exists (
        select 1 from stream_partition l where l.query_id = i.query_id and l.partition_id = i.partition_id);
    if fresh is not null then
        insert into stream_partition (query_id, partition_id, partition_name)
        select query_ids[f.index], partition_ids[f.index], f.name
        from unnest(fresh, names) as f (index, name)
        on conflict do nothing;
    end if;

    partitions := array(
        select i.index
        from (
            select i.index, query_ids[i.index] as query_id, partition_ids[i.index] as partition_id
            from unnest(indexes) as i (index)
            where query_ids[i.index] = any (queries)
            order by 2, 3
        ) i
        cross join lateral (
            select 1
            from stream_partition l
            where l.query_id = i.query_id and l.partition_id = i.partition_id
            for no key update skip locked
        ) l);
    cursors := :api.lock_free_cursors(
        partition_ids, group_names, array(select i from generate_subscripts(partition_ids, 1) i where i <> all (indexes)));

    return query
    select i.index::int,
           case
               when q.state_id is null then 'no_query'
               when l.query_id is null and p.id is null then 'no_partition'
               when l.query_id is null or c.tid is not null and i.index <> all (cursors) then 'busy'
               -- A repeated flush with deletions is recognized by the deleted keys: the same window may be opened and flushed a second
               -- time.
               when i.token = any (l.tokens) and (i.is_ack or f.deletes = 0) then 'repeated'
               when i.is_ack and i.lease_id = c.lease_id and c.lease_until > now.at and i.ack_offset < c.lease_end then
                   case when i.ack_offset < c.committed or c.acked @> i.ack_offset then 'repeated' else 'go' end
               when i.is_ack then 'lease_gone'
               when c.lease_until > now.at then 'leased'
               when f.deletes > 0 and f.found = 0 then 'repeated'
               when f.deletes > 0 and not f.are_as_read then 'stale'
               else 'go'
           end,
           greatest(now.at, l.last_cycle_at + interval '1 microsecond'),
           c.committed
    from unnest(query_ids, partition_ids, group_names, tokens, are_acks, lease_ids, ack_offsets)
         with ordinality as i (query_id, partition_id, group_name, token, is_ack, lease_id, ack_offset, index)
    cross join lateral (select clock_timestamp() as at offset 0) now
    left join lateral (select q.state_id from stream_query q where q.id = i.query_id) q on true
    left join lateral :newest_partition(i.partition_id) p on true
    left join lateral (
        select l.*
        from stream_partition l
        where l.query_id = i.query_id and l.partition_id = i.partition_id and i.index = any (partitions)
    ) l on true
    left join lateral :newest_cursor_row(i.partition_id, i.group_name) c on true
    cross join lateral (
        -- A flush does not contain the version of a row that it read. The row is unchanged if it was read after its last write, and no
        -- earlier read can still lead to a flush. An earlier read from the host of the flush counts for two seconds, and other hosts do not
        -- matter if the host read the row again. Without known hosts, an earlier read counts for 30 seconds.
        select count(*) as deletes, count(s.updated_at) as found,
               coalesce(bool_and((
                   select bool_or(o.is_later) and not bool_or(not o.is_later and o.at > now.at - interval '30 seconds')
                          or bool_or(o.is_later and o.host = hosts[i.index])
                             and not bool_or(not o.is_later and (
                                 o.host = hosts[i.index] and o.at > now.at - interval '2 seconds'
                                 or o.host is null and o.at > now.at - interval '30 seconds'))
                   from (
                       select o.*, o.at >= s.updated_at as is_later
                       from :offers_of(l) as o (at, bound, host)
                       where o.bound >= coalesce(s.window_end, '-infinity')
                   ) o) is true), false) as are_as_read
        from unnest(op_cycles, op_keys, op_values) as o (cycle, key, value)
        left join lateral (
            select s.updated_at, s.window_end
            from stream_state s
            where s.state_id = q.state_id and s.partition_id = i.partition_id and s.key = o.key
            offset 0
        ) s on true
        where not i.is_ack
          and o.cycle = i.index
          and o.value is null
    ) f
    where i.index = any (indexes);
end
$$;
