create function :api.record_lag()
returns void
language plpgsql volatile
as $$
-- Promise:  records in the buckets of this minute and hour, for each queue, for how long the oldest unread message has been due, with a
--           precision of 15 seconds, and the number of unfinished messages, with a precision of a tenth. Every server calls this and they
--           write the same rows, so most calls write nothing.
-- Params:   none.
-- Returns:  nothing.
-- Locks:    queen.lag_bucket rows, ascending by queue_id.
-- Writes:   queen.lag_bucket
#variable_conflict use_column
begin
    insert into queen.lag_bucket as b (queue_id, minutes, at, oldest_s, depth)
    select d.queue_id, w.minutes, date_bin(make_interval(mins => w.minutes), clock_timestamp(), 'epoch'), coalesce(l.oldest_s, 0), d.depth
    from (select t.queue_id, sum(t.pending + t.processing)::bigint as depth from queue_depth t group by t.queue_id) d
    left join (
        select l.queue_id, :api.seconds_since(min(l.oldest_at)) as oldest_s from :api.lag_of_groups() l group by l.queue_id
    ) l on l.queue_id = d.queue_id
    cross join (values (1), (60)) as w (minutes)
    where d.depth > 0 or l.oldest_s > 0
    order by d.queue_id, w.minutes
    on conflict (queue_id, minutes, at) do update
    set oldest_s = greatest(b.oldest_s, excluded.oldest_s), depth = greatest(b.depth, excluded.depth)
    where excluded.oldest_s >= b.oldest_s + 15
       or excluded.depth * 10 > coalesce(b.depth, 0) * 11;
end
$$;
