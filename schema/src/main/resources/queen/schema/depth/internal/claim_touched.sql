create function :api.claim_touched(from_number bigint, partitions_max int)
returns table (partitions uuid[], queue_names text[], is_all boolean, next bigint)
language plpgsql volatile
as $$
-- Promise:  deletes and returns recorded changes in order, row by row, up to partitions_max different partitions. If the first row has
--           more, that many are returned and the row keeps the others. Rows that are written meanwhile stay.
-- Params:   from_number: the first number to read; partitions_max.
-- Returns:  one row: the partitions; the queues to recount as a whole; is_all: no row was left; next: the number from which the next call
--           must read, null if it is unchanged.
-- Locks:    the rows; the caller holds the lock of counting_key.
-- Writes:   touched_partitions
#variable_conflict use_column
declare
    rows_max    constant int := 10000;
    ids_max     constant int := 1000000;
    late_max    constant int := 1000;
    first       bigint;
    last        bigint;
begin
    with oldest as (
        select t.number, t.partition_ids, sum(cardinality(t.partition_ids)) over (order by t.number) as ids
        from (select t.number, t.partition_ids from touched_partitions t where t.number >= from_number order by t.number limit rows_max) t
    ), selected as (
        select o.number, o.partition_ids
        from oldest o
        where o.ids <= ids_max or o.number = (select min(f.number) from oldest f)
    ), touched as (
        select u.id, min(t.number) as number from selected t cross join lateral unnest(t.partition_ids) as u (id) group by u.id
    ), sized as (
        select t.number, coalesce(sum(l.partitions) over (order by t.number), 0) as partitions
        from selected t
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
    -- Numbers are assigned before the commit: a transaction with a smaller number may commit later.
    next := last - late_max;
    return next;
end
$$;
