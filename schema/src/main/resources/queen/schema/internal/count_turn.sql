create function :api.count_turn(searched uuid[], suspected uuid[], is_searching boolean, lanes_max int)
returns table (counted int, is_all boolean)
language plpgsql volatile
as $$
-- Promise:  one turn of counting: lanes that were written down as touched, lanes of which a lease has run out, the next lanes of
--           queues that are counted as a whole, and those given.
-- Params:   lanes and queues that a search has found, as in lanes_to_recount; about how many lanes of each kind to take.
-- Returns:  how many lanes were counted; whether all that was written down before is.
-- Locks:    as count_lanes; queen.queue rows of new queues, for key share, never waiting. The caller holds the lock of counting_key.
-- Writes:   touched_lanes, depth_turn, what count_lanes and lanes_to_recount write
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    touched record;
    overdue uuid[];
begin
    select t.lanes, t.queue_names, t.is_all into touched from :api.take_touched(lanes_max) t;

    insert into queue_depth (queue_id)
    select q.id
    from queen.queue q
    where not exists (select 1 from queue_depth d where d.queue_id = q.id)
    for key share of q skip locked;

    overdue := array(
        select d.partition_id from lane_depth d where d.recheck_at <= at order by d.recheck_at limit lanes_max);
    counted := :api.count_lanes(
        touched.lanes || overdue || searched || :api.lanes_to_recount(touched.queue_names, suspected, is_searching, lanes_max));

    is_all := touched.is_all and cardinality(overdue) < lanes_max
              and not exists (select 1 from queue_depth d where d.recount_since is not null);
    if touched.is_all then
        update depth_turn set computed_at = at;
    end if;
    return next;
end
$$;
