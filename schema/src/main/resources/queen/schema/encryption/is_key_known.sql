create function :api.is_key_known()
returns boolean
language sql stable
as $$
-- Promise:  returns whether a server that reported recently has an encryption key.
-- Params:   none.
-- Returns:  true or false. A server that was just started may not have reported yet.
-- Locks:    none.
-- Writes:   nothing
select exists (
    select 1
    from queen.server s
    join queen.server_gauge g on g.server_id = any (array[s.id]) and g.minutes = 1 and g.name = 'encryption.key'
    where s.seen_at > clock_timestamp() - interval '2 minutes'
      and g.at >= clock_timestamp() - interval '3 minutes'
      and g.last > 0)
$$;
