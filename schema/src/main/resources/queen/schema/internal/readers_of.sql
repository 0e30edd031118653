create function :api.readers_of(partition_ids uuid[])
returns table (index int, group_name text, pending bigint)
language sql stable
as $$
-- Promise:  who reads lanes: the groups that have a cursor there, and those that are subscribed to the queue and have not come yet.
-- Params:   the lanes.
-- Returns:  one row per lane and group: about how many messages the group has not finished; standing tells exactly.
-- Locks:    none.
-- Writes:   nothing
with lane as (
    select i.index::int, p.id, p.queue_id, p.head, p.tail, p.removed
    from unnest(partition_ids) with ordinality as i (partition_id, index)
    cross join lateral :api.partition_of(i.partition_id) p
), subscribed as (
    -- A subscription to the queue counts before one to its namespace or task.
    select distinct on (q.id, s.group_name) q.id as queue_id, s.group_name, s.from_at
    from (select distinct l.queue_id from lane l) l
    join queen.queue q on q.id = any (array[l.queue_id])
    join queen.subscription s on s.queue_name = any (array[q.name, ''])
    where not s.is_sought
      and (s.queue_name <> '' or s.namespace in ('', q.namespace) and s.task in ('', q.task))
    order by q.id, s.group_name, s.queue_name desc
)
select l.index, k.group_name,
       :api.unread(:api.first_unread(c.committed, l.tail, c.acked, l.removed), l.head, c.acked, l.removed)
from lane l
cross join lateral (select k.group_name from queen.cursor_key k where k.partition_id = l.id offset 0) k
cross join lateral :api.cursor_of(l.id, k.group_name) c
union all
select l.index, s.group_name, :api.unread(:api.first_unread(b.first, l.tail, null, l.removed), l.head, null, l.removed)
from lane l
join subscribed s on s.queue_id = l.queue_id
cross join lateral (select case when s.from_at is null then l.tail else :api.offset_at(l.id, s.from_at) end as first) b
where not exists (select from queen.cursor_key k where k.partition_id = l.id and k.group_name = s.group_name offset 0)
$$;
