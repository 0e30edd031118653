create function :api.begins_at(queue_name text, eviction_age int, group_name text, from_at timestamptz, at timestamptz)
returns timestamptz
language plpgsql stable
as $$
-- Promise:  from when on a group reads lanes of a queue in which it has no cursor. What had expired before the group subscribed is
--           not its concern.
-- Params:   the queue and its eviction_age; from_at: from when the subscription says by which the group comes; one to the queue itself counts before it; at: the
--           present moment, which is when a group without a subscription subscribes.
-- Returns:  the moment; null for the first message that is kept.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select greatest(
            case when count(*) > 0 then max(o.from_at) else begins_at.from_at end,
            coalesce((
                select min(s.subscribed_at) from queen.subscription s
                where s.group_name = begins_at.group_name and s.queue_name = any (array[begins_at.queue_name, ''])), begins_at.at)
            - make_interval(secs => eviction_age))
        from queen.subscription o
        where o.group_name = begins_at.group_name
          and o.queue_name = begins_at.queue_name
          and o.namespace = ''
          and o.task = '');
end
$$;
