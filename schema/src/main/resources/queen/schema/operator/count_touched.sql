create function :api.count_touched(min_age_ms bigint)
returns text
language plpgsql volatile
as $$
-- Promise:  the sums over the lanes of the shard hold everything that was written down in touched_lanes before this call, and leases that ran
--           out. The work grows with that and not with the lanes there are; where it is more than a turn takes, several are needed.
-- Params:   how old sums have to be to be worth it.
-- Returns:  done; more: another turn is needed; busy: another session is counting.
-- Locks:    an advisory lock, so that one session counts at a time; queen.queue rows of new queues, for key share, never waiting.
-- Writes:   touched_lanes, what count_lanes and lanes_to_recount write
#variable_conflict use_column
declare
    at      timestamptz := clock_timestamp();
    is_all  boolean;
begin
    perform :api.enter(:api.present_shard());
    if not pg_try_advisory_xact_lock(:api.counting_key()) then
        return 'busy';
    elsif exists (select 1 from depth_turn t where t.computed_at > at - min_age_ms * interval '1 ms') then
        return 'done';
    end if;
    select t.is_all into is_all from :api.count_turn('{}', '{}', false, 20000) t;
    return case when is_all then 'done' else 'more' end;
end
$$;
