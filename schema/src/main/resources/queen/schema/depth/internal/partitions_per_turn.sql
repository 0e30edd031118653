create function :api.partitions_per_turn(partitions_max int, pairs_max int)
returns int
language sql stable
as $$
-- Promise:  limits a turn of counting by pairs of partition and group, because each group of a partition is counted.
-- Params:   the maximum number of partitions; the maximum number of pairs.
-- Returns:  how many partitions a turn may count, for the queue with the most subscribed groups; at least 100.
-- Locks:    none.
-- Writes:   nothing
select least(partitions_max, greatest(100, pairs_max / greatest(1, coalesce((
    select max(s.groups) + coalesce(max(s.groups) filter (where s.queue_name = ''), 0)
    from (select s.queue_name, count(*) as groups from queen.subscription s group by s.queue_name) s), 1))))::int
$$;
