create function :api.prometheus(series_max bigint)
returns text
language plpgsql stable
as $$
-- Promise:  returns the metrics of the database in the text format of Prometheus: the same on every server. A series exists until its
--           object is deleted.
-- Params:   series_max: how many queues, and how many pairs of a queue and a group, have series of their own; the rest is summed up as
--           _other.
-- Returns:  lifetime totals; present state; counts of the last full minute per queue and server.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    minute timestamptz := date_bin('1 minute', now(), 'epoch') - interval '1 minute';
begin
    return (
        with line as (
            select * from :api.metrics_of_cluster()
            union all
            select * from :api.metrics_of_queues(series_max, minute)
            union all
            select * from :api.metrics_of_groups(series_max)
            union all
            select * from :api.metrics_of_servers(minute)
        ), block as (
            select l.name, string_agg(l.name || '{' || l.label || '} ' || l.value, e'\n' order by l.label) as lines
            from line l
            group by l.name
        )
        select string_agg(format(e'# HELP %1$s %2$s\n# TYPE %1$s %3$s\n%4$s\n', f.name, f.help, f.kind, b.lines), '' order by f.name)
        from block b
        join :api.metric_families() f on f.name = b.name);
end
$$;
