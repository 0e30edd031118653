create function :api.take_touched(lanes_max int)
returns table (lanes uuid[], queue_names text[], is_all boolean)
language plpgsql volatile
as $$
-- Promise:  what was written down first is taken away to be counted: row by row, as long as it is no more than so many different lanes,
--           and at least one row. A row that is written meanwhile stays.
-- Params:   how many lanes.
-- Returns:  one row: the lanes, the queues of which all lanes are to be counted, and whether nothing was left behind.
-- Locks:    the rows; the caller sees to it that nobody else counts.
-- Writes:   touched_lanes
#variable_conflict use_column
declare
    rows_max constant int := 10000;
    ids_max constant  int := 1000000;
    first   bigint;
    last    bigint;
begin
    with oldest as (
        select t.number, t.partition_ids, sum(cardinality(t.partition_ids)) over (order by t.number) as ids
        from (select t.number, t.partition_ids from touched_lanes t order by t.number limit rows_max) t
    ), told as (
        select o.number, o.partition_ids
        from oldest o
        where o.ids <= ids_max or o.number = (select min(f.number) from oldest f)
    ), lane as (
        select u.id, min(t.number) as number from told t cross join lateral unnest(t.partition_ids) as u (id) group by u.id
    ), sized as (
        select t.number, coalesce(sum(l.lanes) over (order by t.number), 0) as lanes
        from told t
        left join (select l.number, count(*) as lanes from lane l group by l.number) l on l.number = t.number
    )
    select min(s.number), coalesce(max(s.number) filter (where s.lanes <= lanes_max), min(s.number)),
           coalesce(bool_and(s.lanes <= lanes_max), true) and count(*) = (select count(*) from oldest) and count(*) < rows_max
    into first, last, is_all
    from sized s;
    if first is null then
        lanes := '{}';
        queue_names := '{}';
        return next;
        return;
    end if;

    with taken as (
        delete from touched_lanes t
        where t.number between first and last
        returning t.partition_ids, t.queue_names
    )
    select array(select distinct u.id from taken t cross join lateral unnest(t.partition_ids) as u (id)),
           array(select distinct u.name from taken t cross join lateral unnest(t.queue_names) as u (name))
    into lanes, queue_names;
    return next;
end
$$;
