create function :api.delete_traces(partition_ids uuid[], firsts bigint[], ends bigint[])
returns void
language plpgsql volatile
as $$
-- Promise:  deletes the traces of deleted messages, and updates the counts of their names.
-- Params:   arrays of equal length, each partition once; the messages are those from first to end - 1.
-- Returns:  nothing.
-- Locks:    queen.trace_name rows, ascending by name. A caller that processes several shards must call it once, with the partitions of all
--           shards.
-- Writes:   queen.trace, queen.trace_mark, queen.trace_name
#variable_conflict use_column
declare
    gone_names      text[];
    gone_traces     bigint[];
    gone_messages   bigint[];
begin
    delete from queen.trace t
    using unnest(partition_ids, firsts, ends) as i (partition_id, first, "end")
    where t.partition_id = any (array[i.partition_id])
      and t.message_offset >= i.first
      and t.message_offset < i."end";
    if not found then
        return;
    end if;

    with gone as (
        delete from queen.trace_mark m
        using unnest(partition_ids, firsts, ends) as i (partition_id, first, "end")
        where m.partition_id = any (array[i.partition_id])
          and m.message_offset >= i.first
          and m.message_offset < i."end"
        returning m.name, m.partition_id, m.message_offset
    ), counted as (
        select g.name, count(*) as traces, count(distinct (g.partition_id, g.message_offset)) as messages
        from gone g
        group by g.name
    )
    select array_agg(c.name order by c.name), array_agg(c.traces order by c.name), array_agg(c.messages order by c.name)
    into gone_names, gone_traces, gone_messages
    from counted c;

    perform from queen.trace_name n where n.name = any (gone_names) order by n.name for update;
    update queen.trace_name n
    set trace_count = n.trace_count - g.traces,
        message_count = n.message_count - g.messages
    from unnest(gone_names, gone_traces, gone_messages) as g (name, traces, messages)
    where n.name = any (array[g.name]);
    delete from queen.trace_name n where n.name = any (gone_names) and n.trace_count <= 0;
end
$$;
