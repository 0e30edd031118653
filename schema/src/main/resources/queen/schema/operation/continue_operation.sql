create function :api.continue_operation(operation_id uuid, partitions_max int)
returns boolean
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  processes the next page of an operation, if no other session is processing one.
-- Params:   the operation, as next_operation returned it; the maximum number of partitions.
-- Returns:  whether the operation has progressed.
-- Locks:    the queen.operation row, never waiting; the queen.queue row, for key share, never waiting; then what operation_page locks;
--           after the last page queen.subscription rows, the queen.queue row, for no key update, and queen.catalog.
-- Writes:   queen.operation, queen.subscription, what operation_page and queue_revised write
#variable_conflict use_column
declare
    page queen.operation;
begin
    select o.* into page from queen.operation o where o.id = operation_id and o.status = 'running' for update skip locked;
    if not found then
        return false;
    end if;
    if page.kind <> 'delete_queue' and :api.lock_queues(array[page.queue_id]) = '{}' then
        -- The deletion of the queue, possibly in progress, ends this operation.
        return false;
    end if;
    page := :api.operation_page(page, partitions_max, false);
    perform :api.select_shard('queen');
    update queen.operation o
    set shard = page.shard, after_name = page.after_name, processed = page.processed, changed = page.changed, messages = page.messages,
        status = page.status, finished_at = page.finished_at
    where o.id = page.id;
    if page.status <> 'finished' then
        return true;
    end if;

    -- After a seek to the end, new partitions are read from their first message again, independent of the clock.
    if page.details ->> 'to' = 'end' and not exists (
        select 1 from queen.operation o
        where o.request_id = page.request_id and o.id <> page.id and o.status = 'running'
    ) then
        update queen.subscription s
        set from_at = null
        where s.group_name = page.group_name
          and s.mode = 'new'
          and s.from_at = page.marked_at;
        update queen.catalog set subscription_version = subscription_version + 1;
    end if;
    -- Servers drop their cached state of the queue.
    if page.kind <> 'delete_queue' then
        perform :api.queue_revised(page.queue_id);
    end if;
    return true;
end
$$;
