create function :api.open_cursors(partition_ids uuid[], group_names text[], from_ats timestamptz[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  afterwards each group has a cursor in each lane that exists: where it was, or else at the first message kept
--           (from_at null) or at the first message not older than from_at.
-- Params:   arrays of equal length, one element per (lane, group).
-- Returns:  the input position of every lane that exists and is not just being deleted, with its queue or without.
-- Locks:    queen.queue rows, then queen.partition rows, for key share and never waiting, so that a cursor cannot outlive its
--           lane; then the new queen.cursor rows, ascending by (partition_id, group_name); then queen.queue_size rows.
-- Writes:   queen.cursor, queen.subscription (of those who name no group), queen.queue_size
#variable_conflict use_column
declare
    kept uuid[];
    lanes uuid[];
begin
    kept := array(
        select q.id
        from queen.queue q
        where q.id = any (array(select p.queue_id from queen.partition p where p.id = any (partition_ids)))
        order by q.id
        for key share skip locked);

    -- Not = any (kept): that would tempt a plan made early to go by the queue's index, over all its lanes.
    lanes := array(
        select p.id
        from unnest(partition_ids) as i (partition_id)
        join queen.partition p on p.id = any (array[i.partition_id])
        where array_position(kept, p.queue_id) is not null
        order by i.partition_id
        for key share of p skip locked);

    return query
    with lane as (
        select i.index, i.group_name, i.from_at, p.id, p.queue_id, p.head, p.tail
        from unnest(partition_ids, group_names, from_ats) with ordinality as i (partition_id, group_name, from_at, index)
        join queen.partition p on p.id = any (array[i.partition_id])
        where i.partition_id = any (lanes)
        order by i.partition_id, i.group_name
    ), opened as (
        insert into queen.cursor (partition_id, group_name, committed)
        select l.id, l.group_name,
               case when l.from_at is null then l.tail else coalesce((
                   select min(s.base) from queen.segment s where s.partition_id = l.id and s.created_at >= l.from_at), l.head) end
        from lane l
        on conflict (partition_id, group_name) do nothing
        returning partition_id, group_name, committed
    ), subscribed as (
        insert into queen.subscription (group_name, queue_name, namespace, task, mode)
        select distinct o.group_name, q.name, '', '', 'all'
        from opened o
        join queen.partition p on p.id = any (array[o.partition_id])
        join queen.queue q on q.id = any (array[p.queue_id])
        where o.group_name = '__QUEUE_MODE__'
        on conflict do nothing
    ), fuller as (
        -- What every other group had finished is unfinished again, for the new one.
        update queen.queue_size z
        set size = z.size + n.count
        from (
            select p.queue_id, sum(greatest(c.reached - o.committed, 0)) as count
            from opened o
            join queen.partition p on p.id = any (array[o.partition_id])
            cross join lateral (
                select min(greatest(c.committed, upper(c.acked))) as reached
                from queen.cursor c
                where c.partition_id = o.partition_id
            ) c
            group by p.queue_id
        ) n
        where z.queue_id = any (array[n.queue_id])
          and n.count > 0
    )
    select l.index::int
    from lane l;
end
$$;
