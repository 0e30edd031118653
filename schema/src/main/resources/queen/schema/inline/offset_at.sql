-- :offset_at(partition, tail, head, moment)
-- Promise:  returns the offset of the first stored message that is not older than a time, by binary search: created_at never decreases
--           within a partition. Reads about twenty segments.
-- Params:   the partition, its tail and its head; the time.
-- Returns:  the offset; the head if every message is older.
(with recursive in_look (low, high, turn) as (
    select :tail, :head, 0
    union all
    select case when in_v.created_at >= :moment then in_l.low else greatest(in_v."end", (in_l.low + in_l.high) / 2 + 1) end,
           case when in_v.created_at >= :moment then greatest(in_v.base, in_l.low) else in_l.high end, in_l.turn + 1
    from in_look in_l
    left join lateral (
        select in_v.base, in_v.base + in_v.count as "end", in_v.created_at
        from segment in_v
        where in_v.partition_id = :partition and in_v.base <= (in_l.low + in_l.high) / 2
        order by in_v.base desc limit 1
    ) in_v on true
    where in_l.low < in_l.high
) select in_look.high from in_look order by in_look.turn desc limit 1)
