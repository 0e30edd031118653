create function :api.open_cursors(partition_ids uuid[], group_names text[], from_ats timestamptz[])
returns table (index int)
language plpgsql volatile
as $$
-- Promise:  afterwards each group has a cursor in each lane that exists: where it was, or else at the first message kept
--           (from_at null) or at the first message not older than from_at.
-- Params:   arrays of equal length, one element per (lane, group).
-- Returns:  the input position of every lane that exists and whose queue is not just being deleted.
-- Locks:    queen.queue rows, for key share and never waiting, so that a cursor cannot outlive its queue; then the new queen.cursor rows,
--           ascending by (partition_id, group_name).
-- Writes:   queen.cursor
#variable_conflict use_column
declare
    kept uuid[];
begin
    kept := array(
        select q.id
        from queen.queue q
        where q.id = any (array(select p.queue_id from unnest(partition_ids) i (id) cross join lateral :api.partition_of(i.id) p))
        order by q.id
        for key share skip locked);

    return query
    with lane as (
        select i.index, i.group_name, i.from_at, p.id, p.head, p.tail
        from unnest(partition_ids, group_names, from_ats) with ordinality as i (partition_id, group_name, from_at, index)
        cross join lateral :api.partition_of(i.partition_id) p
        -- Not = any (kept): that would tempt a plan made early to go by the queue's index, over all its lanes.
        where array_position(kept, p.queue_id) is not null
        order by i.partition_id, i.group_name
    ), opened as (
        insert into queen.cursor (partition_id, group_name, committed)
        select l.id, l.group_name,
               case when l.from_at is null then l.tail else coalesce((
                   select min(s.base) from queen.segment s where s.partition_id = l.id and s.created_at >= l.from_at), l.head) end
        from lane l
        where not exists (
            select from queen.cursor_key k where k.partition_id = l.id and k.group_name = l.group_name offset 0)
    )
    select l.index::int
    from lane l;
end
$$;
