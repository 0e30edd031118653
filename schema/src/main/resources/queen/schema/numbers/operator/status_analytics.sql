create function :api.status_analytics(
    queue text, namespace text, task text, "interval" text, from_at timestamptz, to_at timestamptz,
    scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the number of pushed messages in each minute, hour or day of the range, including empty ones.
-- Params:   queue, namespace, task: null for any; interval: minute, hour or day, anything else counts as hour; the range, by default a day.
--           scope: only these queues; null for all.
-- Returns:  {dataPoints: [{timestamp, messages}], interval, from, to}, oldest first; QN400 for more than 10,000 points.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_variable
declare
    until   timestamptz := coalesce(to_at, now());
    since   timestamptz := coalesce(from_at, until - make_interval(hours => 24));
    step    text := case when status_analytics."interval" in ('minute', 'day') then status_analytics."interval" else 'hour' end;
    width   int := case step when 'minute' then 1 when 'hour' then 60 else 1440 end;
begin
    if until < since then
        raise exception 'from must not be later than to' using errcode = 'QN400';
    elsif extract(epoch from until - since) / 60 / width > 10000 then
        raise exception 'the range has more than 10000 points: choose a longer interval' using errcode = 'QN400';
    end if;
    return (
        select json_build_object(
            'dataPoints', json_agg(json_build_object('timestamp', :api.iso_seconds(c.at), 'messages', c.push_messages)
                                   order by c.at),
            'interval', step, 'from', :api.iso_millis(since), 'to', :api.iso_millis(until))
        from :api.counts_in(since, until, width, :api.matching_queues(queue, namespace, task, scope), null) c)::text;
end
$$;
