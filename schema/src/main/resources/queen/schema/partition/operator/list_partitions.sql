create function :api.list_partitions(queue text, search text, group_name text, sort text, "limit" bigint, after text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  partitions by name, page by page, or the deepest ones first. However many there are, a page costs what it shows: a
--           search looks through 10,000 names at a time and says where to go on.
-- Params:   queue: only this one; null for all. search: part of a name. group_name: whose depth, lag and state to tell; null for
--           each partition's slowest group. sort: name, or lag: the deepest partitions of one queue when they were last counted, no
--           further pages. after: next of the page before.
-- Returns:  {partitions, next}; next is null when there is no further page; null when there is no such queue.
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
    most        bigint := case when search is null then list_partitions."limit" else looked_max end;
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
    -- A place in the order of partitions: the id of the queue, then the name of the partition.
    if after is not null then
        if after !~ '^[0-9a-f-]{36}/' then
            raise exception 'after must be what the page before says under next' using errcode = 'QN400';
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
            from :api.partition_keys(wanted, coalesce(after_queue, wanted, '00000000-0000-0000-0000-000000000000'), after_name, most) k
            order by k.of_queue, k.name
            limit most
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
