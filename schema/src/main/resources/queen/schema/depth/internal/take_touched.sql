create function :api.take_touched(from_number bigint, partitions_max int)
returns table (partitions uuid[], queue_names text[], is_all boolean, next bigint)
language plpgsql volatile
as $$
-- Promise:  what was written down first is taken away to be counted: row by row, as long as it is no more than so many different partitions.
--           Of a first row that has more, so many are taken, and the row keeps the others. A row that is written meanwhile stays.
-- Params:   the first number to look at; how many partitions.
-- Returns:  one row: the partitions, the queues of which all partitions are to be counted, and whether nothing was left behind; next: the
--           number from which on the next call has to look, null if it is the same.
-- Locks:    the rows; the caller sees to it that nobody else counts.
-- Writes:   touched_partitions
#variable_conflict use_column
declare
    rows_max    constant int := 10000;
    ids_max     constant  int := 1000000;
    late_max    constant int := 1000;
    first       bigint;
    last        bigint;
begin
    with oldest as (
        select t.number, t.partition_ids, sum(cardinality(t.partition_ids)) over (order by t.number) as ids
        from (select t.number, t.partition_ids from touched_partitions t where t.number >= from_number order by t.number limit rows_max) t
    ), told as (
        select o.number, o.partition_ids
        from oldest o
        where o.ids <= ids_max or o.number = (select min(f.number) from oldest f)
    ), touched as (
        select u.id, min(t.number) as number from told t cross join lateral unnest(t.partition_ids) as u (id) group by u.id
    ), sized as (
        select t.number, coalesce(sum(l.partitions) over (order by t.number), 0) as partitions
        from told t
        left join (select l.number, count(*) as partitions from touched l group by l.number) l on l.number = t.number
    )
    select min(s.number), max(s.number) filter (where s.partitions <= partitions_max),
           coalesce(bool_and(s.partitions <= partitions_max), true) and count(*) = (select count(*) from oldest) and count(*) < rows_max
    into first, last, is_all
    from sized s;
    if first is null then
        partitions := '{}';
        queue_names := '{}';
        return next;
        return;
    elsif last is null then
        select t.partition_ids[1:partitions_max] into partitions from touched_partitions t where t.number = first;
        update touched_partitions t set partition_ids = t.partition_ids[partitions_max + 1:] where t.number = first;
        queue_names := '{}';
        return next;
        return;
    end if;

    with taken as (
        delete from touched_partitions t
        where t.number between first and last
        returning t.partition_ids, t.queue_names
    )
    select array(select distinct u.id from taken t cross join lateral unnest(t.partition_ids) as u (id)),
           array(select distinct u.name from taken t cross join lateral unnest(t.queue_names) as u (name))
    into partitions, queue_names;
    -- Numbers are given before the commit: a smaller one may follow.
    next := last - late_max;
    return next;
end
$$;
