create function :api.operation_page(page queen.operation, partitions_max int, is_exact boolean)
returns queen.operation
language plpgsql volatile
as $$
-- Promise:  processes the next partitions of an operation, shard by shard and in name order, so that every partition that existed when the
--           operation began is processed once.
-- Params:   page: the operation; partitions_max; is_exact: this is the transaction that begins the operation, so everything stored now was
--           stored before it. Later pages use the time of marked_at.
-- Returns:  the operation with its progress; status finished: nothing is left to do. A page that is not exact finishes the operation only
--           if it has locked nothing, so that the caller may lock the queue then.
-- Locks:    what clear_page, seek_page, delete_group_page and delete_queue_page lock.
-- Writes:   what they write
#variable_conflict use_column
declare
    messages_max    constant int := 200000;
    left_over       int := partitions_max;
    shard_name      text;
    names           record;
    done            record;
begin
    loop
        select s.name into shard_name from queen.shard s where s.number = page.shard;
        if not found and not is_exact and left_over < partitions_max then
            return page;
        end if;
        if not found then
            page.status := 'finished';
            page.finished_at := clock_timestamp();
            return page;
        end if;
        perform :api.select_shard(shard_name);
        select coalesce(array_agg(k.id order by k.name), '{}') as ids, coalesce(array_agg(k.name order by k.name), '{}') as names
        into names
        from (
            select k.id, k.name
            from partition_key k
            where k.queue_id = page.queue_id
              and k.name > page.after_name
              and page.partition_name is null
            order by k.name
            limit left_over
        ) k;
        if page.partition_name is not null and page.after_name = '' then
            select coalesce(array_agg(k.id), '{}') as ids, coalesce(array_agg(k.name), '{}') as names into names
            from partition_key k
            where k.id = :api.partition_id(page.queue_id, page.partition_name);
        end if;

        -- processed: how many of the partitions are done, from the first.
        case page.kind
            when 'clear' then
                select * into done from :api.clear_page(names.ids, case when not is_exact then page.marked_at end, messages_max);
            when 'delete_group' then
                select * into done from :api.delete_group_page(names.ids, page.group_name, case when not is_exact then page.marked_at end);
            when 'delete_queue' then
                select * into done from :api.delete_queue_page(page.queue_id, names.ids, messages_max);
            else
                select * into done from :api.seek_page(
                    names.ids, page.group_name, page.kind = 'seek', page.details ->> 'to', (page.details ->> 'afterAt')::timestamptz,
                    case when not is_exact then page.marked_at end);
        end case;
        page.processed := page.processed + done.processed;
        page.changed := page.changed + done.changed;
        page.messages := page.messages + done.messages;
        if done.processed > 0 then
            page.after_name := names.names[done.processed];
        end if;
        left_over := left_over - cardinality(names.ids);
        if done.processed < cardinality(names.ids) or done.is_more or left_over <= 0 then
            return page;
        end if;
        if names.ids = '{}' then
            page.shard := page.shard + 1;
            page.after_name := '';
        end if;
    end loop;
end
$$;
