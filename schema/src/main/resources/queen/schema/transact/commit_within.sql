create function :api.commit_within(kept queen.commitment)
returns void
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  does the work that a transaction left for its commit: a partition with pushes becomes active now, servers are notified
--           (announce), acknowledged messages are finished. Fails, with the transaction, if a lease was lost.
-- Params:   kept: a row of queen.commitment, written by push_within or ack_within.
-- Returns:  nothing. QN002: a lease has ended, or its queue was deleted.
-- Locks:    the partition row, which is already locked; with the first acknowledgment the cursor rows of all of them, shard by shard and
--           ascending by (partition_id, group_name), so that transactions that acknowledge in different orders do not deadlock; what
--           announce locks.
-- Writes:   partition, touched_partitions, what ack writes; deletes from queen.commitment
#variable_conflict use_column
declare
    lease_is_gone   constant text := 'the lease has expired or was taken over';
    at              timestamptz := clock_timestamp();
    part            record;
    ids             uuid[];
    groups          text[];
    leases          uuid[];
    finished        text[];
    queues          text[];
    live            bigint;
begin
    if kept.group_name is null then
        perform :api.select_shard(:api.shard_of(kept.partition_id));
        -- Servers search for partitions with recent activity, and the push itself may be long ago.
        update partition p
        set active_at = at,
            :written(p)
        where p.ctid = (
            select n.ctid from partition n where n.id = kept.partition_id order by n.generation desc limit 1);
        delete from queen.commitment c
        where c.transaction = kept.transaction and c.partition_id = kept.partition_id and c.group_name is null;
        perform :api.touch_partitions(array[kept.partition_id], '{}');
        perform :api.announce(array[kept.queue_name]);
        return;
    end if;

    with done as (
        delete from queen.commitment c
        where c.transaction = kept.transaction and c.group_name is not null
        returning c.queue_name, c.partition_id, c.group_name, c.lease_id, c.message_offset
    ), held as (
        select d.queue_name, d.partition_id, d.group_name, d.lease_id,
               range_agg(int8range(d.message_offset, d.message_offset + 1))::text as finished
        from done d
        group by d.queue_name, d.partition_id, d.group_name, d.lease_id
    )
    select array_agg(h.partition_id), array_agg(h.group_name), array_agg(h.lease_id), array_agg(h.finished), array_agg(h.queue_name)
    into ids, groups, leases, finished, queues
    from held h;
    -- The first of several acknowledgments finishes all of them.
    if ids is null then
        return;
    end if;

    -- Of two leases on one partition at most one is live, so the transaction must fail.
    if (select count(distinct (h.id, h.group_name)) from unnest(ids, groups) as h (id, group_name)) < cardinality(ids) then
        raise exception using errcode = 'QN002', message = lease_is_gone;
    end if;
    for part in select * from :api.shard_parts(ids) loop
        perform :api.select_shard(part.shard);
        perform :api.lock_cursors(
            array(select ids[i] from unnest(part.indexes) i), array(select groups[i] from unnest(part.indexes) i));
        select count(*) filter (where a.is_live)
        into live
        from :api.ack(
            array(select ids[i] from unnest(part.indexes) i), array(select groups[i] from unnest(part.indexes) i),
            array(select leases[i] from unnest(part.indexes) i), array(select finished[i] from unnest(part.indexes) i)) a;
        if live < cardinality(part.indexes) then
            raise exception using errcode = 'QN002', message = coalesce((
                select format('the queue %s was deleted', queues[i])
                from unnest(part.indexes) i
                where not exists (select 1 from partition v where v.id = ids[i] offset 0)
                limit 1), lease_is_gone);
        end if;
        perform :api.touch_partitions(array(select ids[i] from unnest(part.indexes) i), '{}');
    end loop;
    perform :api.announce(array(select distinct n.name from unnest(queues) as n (name)));
end
$$;
