create function :api.next_operation(skipped uuid[])
returns uuid
language plpgsql stable
as $$
-- Promise:  returns the operation to continue: the oldest running one that does not have to wait for an older one of the same queue and
--           group.
-- Params:   skipped: operations that the caller could not continue recently.
-- Returns:  its id; null if there is none.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select o.id
        from queen.operation o
        where o.status = 'running'
          and o.id <> all (skipped)
          and not exists (
              select 1 from queen.operation e
              where e.status = 'running' and e.queue_id = o.queue_id and e.group_name = o.group_name
                and (e.marked_at, e.id) < (o.marked_at, o.id))
        order by o.marked_at, o.id
        limit 1);
end
$$;
