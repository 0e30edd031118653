create function :api.gauges_in(from_at timestamptz, to_at timestamptz, width int, server_ids uuid[])
returns table (
    server_id uuid, at timestamptz, name text, samples bigint, avg numeric, min numeric, max numeric, last numeric)
language plpgsql stable
as $$
-- Promise:  returns the gauges of each server in each bucket of the range.
-- Params:   the range; width: of the buckets in minutes; server_ids: null for all servers.
-- Returns:  one row per server, bucket and gauge with samples.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    source int := case when width >= 60 then 60 else 1 end;
begin
    return query
    select g.server_id, date_bin(make_interval(mins => width), g.at, 'epoch'), g.name, sum(g.samples)::bigint,
           round((sum(g.sum) / sum(g.samples))::numeric, 2), round(min(g.min)::numeric, 2), round(max(g.max)::numeric, 2),
           round(((array_agg(g.last order by g.at desc))[1])::numeric, 2)
    from queen.server_gauge g
    where g.minutes = source
      and g.at >= date_bin(make_interval(mins => source), from_at, 'epoch')
      and g.at <= to_at
      and (server_ids is null or g.server_id = any (server_ids))
    group by 1, 2, 3;
end
$$;
