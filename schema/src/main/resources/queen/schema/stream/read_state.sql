create function :api.read_state(
    query_ids uuid[], partition_ids uuid[], key_firsts int[], key_lasts int[], keys text[], prefixes text[],
    ripe_untils double precision[], rows_max int, bytes_max bigint, hosts bigint[] default null)
returns table (index int, key text, value bytea, is_sealed boolean, updated_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  returns the state of partitions, and records the time of the read if no lease on the partition is live: a client without a
--           lease may flush what it read, and check_cycles compares the flush with that time. A read under a live lease stores the lease
--           instead (record_state_read), unless it requests ripe windows, which only the timer of a runner does.
-- Params:   one element per read; key_firsts, key_lasts: the range of keys it requests, null for all; prefixes, ripe_untils as in
--           state_rows. rows_max, bytes_max: the maximum number of rows and of bytes of values per read; one row is always returned. hosts:
--           a hash of the address of each sender, null if unknown; see check_cycles.
-- Returns:  rows by read and key; key is null if the query does not exist; value is null in rows beyond the limits.
-- Locks:    stream_partition rows, one at a time, never waiting; what record_state_read locks.
-- Writes:   stream_partition
#variable_conflict use_column
declare
    state   uuid;
    holder  record;
    moment  timestamptz;
    row     record;
    reach   double precision;
begin
    for i in 1 .. cardinality(query_ids) loop
        select q.state_id into state from stream_query q where q.id = query_ids[i];
        if not found then
            return query select i, null::text, null::bytea, null::boolean, null::timestamptz;
            continue;
        end if;

        select l.read_lease_id, c.lease_id into holder
        from (select query_ids[i] as query_id, partition_ids[i] as partition_id offset 0) a
        left join lateral (
            select l.group_name, l.read_lease_id
            from stream_partition l
            where l.query_id = a.query_id and l.partition_id = a.partition_id
        ) l on true
        left join lateral :newest_cursor(a.partition_id, coalesce(l.group_name, 'streams.' || a.query_id)) c on c.lease_until > clock_timestamp();

        moment := null;
        if holder.lease_id is null then
            -- The next statement reads under this lock: every cycle is applied before or after it as a whole.
            select greatest(clock_timestamp(), l.last_cycle_at) into moment
            from stream_partition l
            where l.query_id = query_ids[i]
              and l.partition_id = partition_ids[i]
              and not exists (
                  select 1
                  from :newest_cursor(l.partition_id, coalesce(l.group_name, 'streams.' || l.query_id)) c
                  where c.lease_until > clock_timestamp())
            for no key update skip locked;
        elsif ripe_untils[i] is null and holder.lease_id is distinct from holder.read_lease_id then
            perform :api.record_state_read(query_ids[i], partition_ids[i], holder.lease_id);
        end if;

        reach := null;
        for row in
            select s.key, case when s.place <= rows_max and (s.place = 1 or s.bytes <= bytes_max) then s.value end as value,
                   s.is_sealed, s.updated_at, s.window_end
            from (
                select s.*, row_number() over w as place, sum(octet_length(s.value)) over w as bytes
                from :api.state_rows(
                    state, partition_ids[i], case when key_firsts[i] is not null then keys[key_firsts[i]:key_lasts[i]] end,
                    prefixes[i], ripe_untils[i], rows_max + 1) s
                window w as (order by case when ripe_untils[i] is not null then s.window_end end, s.key)
            ) s
            order by s.key
        loop
            reach := greatest(reach, row.window_end, '-infinity');
            return query select i, row.key, row.value, row.is_sealed, row.updated_at;
        end loop;

        if moment is not null and reach is not null then
            -- A read replaces an earlier one of the same host if no cycle was applied between them: both read the same state. Of the others
            -- the oldest, the newest, and the newest of each host are kept.
            update stream_partition l
            set (offers, offer_bounds, offer_hosts, offers_sent_at) = (
                select coalesce(array_agg(o.at order by o.at), '{}') || moment, coalesce(array_agg(o.bound order by o.at), '{}') || reach,
                       coalesce(array_agg(o.host order by o.at), '{}') || hosts[i], moment
                from (
                    select o.*, row_number() over (order by o.at) as from_oldest, row_number() over (order by o.at desc) as from_newest,
                           row_number() over (partition by o.host order by o.at desc) as from_newest_of_host
                    from :offers_of(l) as o (at, bound, host)
                    where o.at > moment - interval '30 seconds'
                      and (o.host = hosts[i] and o.at >= l.last_cycle_at and o.bound <= reach) is not true
                ) o
                where o.from_oldest <= 15
                   or o.from_newest <= 7
                   or o.from_newest_of_host = 1)
            where l.query_id = query_ids[i]
              and l.partition_id = partition_ids[i];
        end if;
    end loop;
end
$$;
