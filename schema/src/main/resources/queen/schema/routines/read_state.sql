create function :api.read_state(
    query_ids uuid[], partition_ids uuid[], key_firsts int[], key_lasts int[], keys text[], prefixes text[],
    ripe_untils double precision[], rows_max int, bytes_max bigint)
returns table (index int, key text, value bytea, is_sealed boolean, updated_at timestamptz)
language plpgsql volatile
as $$
-- Promise:  tells the state of lanes, and notes the moment down where no lease on the lane is live: whoever reads then may flush what
--           it read, and judge_cycles compares the flush with that moment.
-- Params:   one element per question; key_firsts and key_lasts: which of the keys it asks for, null for all; prefixes and ripe_untils
--           as in state_rows. How many rows, and how many bytes of values, one answer may have; one row it always may.
-- Returns:  rows by question and key; key is null where there is no such query, and value is null where the answer was cut off.
-- Locks:    stream_lane rows, one at a time, never waiting.
-- Writes:   stream_lane
#variable_conflict use_column
declare
    state   uuid;
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

        -- What the next statement reads is read under this lock: every cycle is before all of it, or after.
        select greatest(clock_timestamp(), l.last_cycle_at) into moment
        from stream_lane l
        where l.query_id = query_ids[i]
          and l.partition_id = partition_ids[i]
          and not exists (
              select 1
              from (
                  select v.* from cursor v
                  where v.partition_id = l.partition_id and v.group_name = coalesce(l.group_name, 'streams.' || l.query_id)
                  order by v.generation desc limit 1
              ) c
              where c.lease_until > clock_timestamp())
        for no key update skip locked;

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
            -- The oldest of the last moments count, because those who read then may still be on their way; and the newest does.
            update stream_lane l
            set (offers, offer_bounds) = (
                select coalesce(array_agg(o.at order by o.at), '{}') || moment, coalesce(array_agg(o.bound order by o.at), '{}') || reach
                from (
                    select o.at, o.bound
                    from unnest(l.offers, l.offer_bounds) as o (at, bound)
                    where o.at > moment - interval '30 seconds'
                    order by o.at
                    limit 15
                ) o)
            where l.query_id = query_ids[i]
              and l.partition_id = partition_ids[i];
        end if;
    end loop;
end
$$;
