-- :offset_at(lane, tail, head, moment)
-- Promise:  the offset of the first kept message that is not older than a moment, by halving: time never goes back within a
--           lane, so some twenty segments tell.
-- Params:   the lane, its tail and its head; the moment.
-- Returns:  the offset; the head where every message is older.
(with recursive look (low, high, turn) as (
    select :tail, :head, 0
    union all
    select case when v.created_at >= :moment then l.low else coalesce(v."end", (l.low + l.high) / 2 + 1) end,
           case when v.created_at >= :moment then greatest(v.base, l.low) else l.high end, l.turn + 1
    from look l
    left join lateral (
        select v.base, v.base + v.count as "end", v.created_at
        from segment v
        where v.partition_id = :lane and v.base <= (l.low + l.high) / 2
        order by v.base desc limit 1
    ) v on true
    where l.low < l.high
) select look.high from look order by look.turn desc limit 1)
