create function :api.finish_operation(finished queen.operation)
returns void
language plpgsql volatile
as $$
-- Promise:  does what is left when the last partition of an operation is done: servers discard what they have cached of the queue,
--           and a group that was moved to the end reads new partitions from their first message again, whatever the clocks say.
-- Params:   the operation, which has just finished.
-- Returns:  nothing.
-- Locks:    queen.subscription rows; the queen.queue row, for no key update; queen.catalog.
-- Writes:   queen.subscription, what queue_revised writes
#variable_conflict use_column
begin
    if finished.details ->> 'to' = 'end' and not exists (
        select 1 from queen.operation o
        where o.request_id = finished.request_id and o.id <> finished.id and o.status = 'running'
    ) then
        update queen.subscription s
        set from_at = null
        where s.group_name = finished.group_name
          and s.mode = 'new'
          and s.from_at = finished.marked_at;
        update queen.catalog set subscription_version = subscription_version + 1;
    end if;
    if finished.kind <> 'delete_queue' then
        perform :api.queue_revised(finished.queue_id);
    end if;
end
$$;
