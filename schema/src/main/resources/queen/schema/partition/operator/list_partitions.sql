create function :api.list_partitions(queue text, search text, group_name text, sort text, "limit" bigint, after text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns partitions by name, page by page, or the deepest ones. The cost depends on the page, not on the number of partitions: a
--           search reads 10,000 names per call and returns where to continue.
-- Params:   queue: only this one; null for all. search: a substring of the name. group_name: the group of depth, lag and state; null for
--           the slowest group of each partition. sort: name, or lag: the deepest partitions of one queue as last counted, without further
--           pages. after: next of the previous page.
-- Returns:  {partitions, next}; next is null on the last page; null if the queue does not exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    looked_max  constant int := 10000;
    wanted      uuid;
    after_queue uuid;
    after_name  text := '';
    partitions  uuid[];
    last_looked text;
    looked      int;
    rows_max    bigint := case when search is null then list_partitions."limit" else looked_max end;
    next        text;
begin
    if queue is not null then
        select q.id into wanted from queen.queue q where q.name = list_partitions.queue;
        if not found then
            return null;
        end if;
    end if;
    if sort not in ('name', 'lag') or sort = 'lag' and queue is null then
        raise exception 'sort must be name, or lag together with a queue' using errcode = 'QN400';
    end if;
    -- The position of a partition: the id of its queue, then its name.
    if after is not null then
        if after !~ '^[0-9a-f-]{36}/' then
            raise exception 'after must be the value of next in the previous page' using errcode = 'QN400';
        end if;
        after_queue := left(after, 36)::uuid;
        after_name := substr(after, 38);
    end if;

    if sort = 'lag' then
        partitions := array(
            select d.target_id from :api.deepest_partitions(wanted, list_partitions."limit") d order by d.unread desc limit list_partitions."limit");
    else
        with look as (
            select k.id, k.of_queue as queue_id, k.name, row_number() over (order by k.of_queue, k.name) as place
            from :api.partition_keys(wanted, coalesce(after_queue, wanted, '00000000-0000-0000-0000-000000000000'), after_name, rows_max) k
            order by k.of_queue, k.name
            limit rows_max
        ), hit as (
            select l.*
            from look l
            where search is null or position(lower(search) in lower(l.name)) > 0
            order by l.place
            limit list_partitions."limit"
        )
        select array(select h.id from hit h order by h.place), (select count(*) from look),
               case when (select count(*) from hit) >= list_partitions."limit"
                    then (select h.queue_id || '/' || h.name from hit h order by h.place desc limit 1)
                    else (select l.queue_id || '/' || l.name from look l order by l.place desc limit 1) end
        into partitions, looked, last_looked;
        if cardinality(partitions) >= list_partitions."limit" or search is not null and looked = looked_max then
            next := last_looked;
        end if;
    end if;

    return (
        select json_build_object('partitions', coalesce(json_agg(d.document order by d.index), '[]'), 'next', next)::text
        from :api.partition_documents(partitions, list_partitions.group_name) d);
end
$$;
