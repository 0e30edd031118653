create function :api.message_heads(partition_ids uuid[], message_offsets bigint[], bytes_max bigint default 64 << 20)
returns table (index int, id uuid, transaction_id text, trace_id uuid, producer_sub text, headers json)
language plpgsql stable
as $$
-- Promise:  returns the fields of messages that lists show, without their payloads. A segment of which only the first message is listed is
--           read up to the payload, another one to its end and once; in total at most bytes_max bytes.
-- Params:   arrays of equal length, the messages in the order of the list; bytes_max: how many bytes of segments may be read; the first
--           segment of a shard is always read.
-- Returns:  one row per message that was read, with its position; none for messages that are not stored or exceed bytes_max.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    before          text := current_setting('search_path');
    part            record;
    shard_bytes_max bigint := bytes_max / greatest(cardinality(:api.shards()), 1);
begin
    for part in select * from :api.shard_parts(partition_ids) loop
        perform :api.select_shard(part.shard);
        return query
        with wanted as (
            select x.index, s.partition_id, s.base, message_offsets[x.index] - s.base + 1 as place
            from unnest(part.indexes) as x (index)
            cross join lateral (
                select s.partition_id, s.base
                from segment s
                where s.partition_id = partition_ids[x.index]
                  and s.base <= message_offsets[x.index]
                order by s.base desc
                limit 1
            ) s
        ), run as (
            select w.partition_id, w.base, min(w.index) as first, max(w.place) as last
            from wanted w
            group by w.partition_id, w.base
        ), sized as (
            -- Lengths are known without reading. A part of an lz4-compressed value requires reading all of it.
            select r.partition_id, r.base, r.last, sum(z.bytes) over (order by r.first) - z.bytes as bytes_before, z.bytes
            from run r
            join segment s on s.partition_id = any (array[r.partition_id]) and s.base = r.base
            cross join lateral (
                select case when r.last > 1 then octet_length(s.body)
                            when pg_column_compression(s.body) = 'lz4' then pg_column_size(s.body)
                            else least(octet_length(s.body), 8192) end as bytes
            ) z
        ), head as materialized (
            select z.partition_id, z.base, l.place, l.head
            from sized z
            join segment s on s.partition_id = any (array[z.partition_id]) and s.base = z.base
            cross join lateral (
                select 1::bigint as place, :api.line_head(s.body) as head
                where z.last = 1
                union all
                select l.place, :api.line_head(convert_to(left(l.line, 8192), 'UTF8'))
                from string_to_table(convert_from(case when z.last > 1 then s.body end, 'UTF8'), e'\n') with ordinality as l (line, place)
                where l.place <= z.last
            ) l
            where z.bytes_before = 0 or z.bytes_before + z.bytes <= shard_bytes_max
        )
        select w.index, f.id, f.transaction_id, f.trace_id, f.producer_sub, f.headers
        from wanted w
        join head h on h.partition_id = w.partition_id and h.base = w.base and h.place = w.place
        cross join lateral :api.line_fields(h.head) f;
    end loop;
    perform set_config('search_path', before, true);
end
$$;
