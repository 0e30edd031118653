create function :api.group_state(is_paused boolean, consumers bigint, oldest_s bigint)
returns text
language sql immutable
as $$
-- Promise:  how a group is doing on a queue, in a word. The only place that decides it:
--                          nothing due for over 5 minutes   something is
--             consumers    Stable                           Lagging
--             nobody       Idle                             Dead
--           and Paused where nothing is handed out on purpose.
-- Params:   whether the group or its queue is paused, or nothing is handed out at all; how many consume; for how many seconds the
--           oldest unread message has been due.
-- Returns:  Paused, Stable, Lagging, Idle or Dead.
-- Locks:    none.
-- Writes:   nothing
select case
    when is_paused then 'Paused'
    when oldest_s > 300 then case when consumers > 0 then 'Lagging' else 'Dead' end
    else case when consumers > 0 then 'Stable' else 'Idle' end
end
$$;
