create function :api.count_touched(min_age_ms bigint)
returns text
language plpgsql volatile
:plans_by_key
as $$
-- Promise:  updates the sums over the partitions of the shard with everything that was recorded in touched_partitions before this call, and
--           with expired leases. The work depends on the number of changes, not of partitions; more changes than one turn counts need
--           several calls.
-- Params:   min_age_ms: does nothing if the sums are younger.
-- Returns:  done; more: another turn is needed; busy: another session is counting.
-- Locks:    an advisory lock (counting_key), so that one session counts at a time.
-- Writes:   touched_partitions, what count_partitions and partitions_to_recount write
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    is_all  boolean;
begin
    perform :api.select_shard(:api.present_shard());
    if not pg_try_advisory_xact_lock(:api.counting_key()) then
        return 'busy';
    elsif (select t.computed_at from depth_turn t order by t.generation desc limit 1) > at - min_age_ms * interval '1 ms' then
        return 'done';
    end if;
    select t.is_all into is_all from :api.count_turn('{}', '{}', false, :api.partitions_per_turn(20000, 100000)) t;
    return case when is_all then 'done' else 'more' end;
end
$$;
