create function :api.record_lag()
returns void
language plpgsql volatile
as $$
-- Promise:  records in the buckets of this minute and hour for how long the oldest unread message of each queue has been due, with a
--           precision of 15 seconds. Every server calls this and they write the same rows, so most calls write nothing.
-- Params:   none.
-- Returns:  nothing.
-- Locks:    queen.lag_bucket rows, ascending by queue_id.
-- Writes:   queen.lag_bucket
#variable_conflict use_column
begin
    insert into queen.lag_bucket as b (queue_id, minutes, at, oldest_s)
    select l.queue_id, w.minutes, date_bin(make_interval(mins => w.minutes), clock_timestamp(), 'epoch'), l.oldest_s
    from (select l.queue_id, :api.seconds_since(min(l.oldest_at)) as oldest_s from :api.lag_of_groups() l group by l.queue_id) l
    cross join (values (1), (60)) as w (minutes)
    where l.oldest_s > 0
    order by l.queue_id, w.minutes
    on conflict (queue_id, minutes, at) do update
    set oldest_s = excluded.oldest_s
    where excluded.oldest_s >= b.oldest_s + 15;
end
$$;
