create function :api.group_state(is_paused boolean, consumers bigint, oldest_s bigint)
returns text
language sql immutable
as $$
-- Promise:  returns the state of a group on a queue. All states are computed here:
--                          nothing due for over 5 minutes   something due for over 5 minutes
--             consumers    Stable                           Lagging
--             none         Idle                             Dead
--           Paused if the group or its queue is paused, or pops are switched off.
-- Params:   is_paused; consumers: the number of consumers; oldest_s: seconds since which the oldest unread message has been due.
-- Returns:  Paused, Stable, Lagging, Idle or Dead.
-- Locks:    none.
-- Writes:   nothing
select case
    when is_paused then 'Paused'
    when oldest_s > 300 then case when consumers > 0 then 'Lagging' else 'Dead' end
    else case when consumers > 0 then 'Stable' else 'Idle' end
end
$$;
