create function :api.can_reencrypt(key_id text)
returns table (is_allowed boolean, is_binding boolean)
language plpgsql stable
as $$
-- Promise:  returns whether every server that decrypts has reported this key, so that no message becomes unreadable for a server.
-- Params:   key_id: the key to encrypt messages with.
-- Returns:  one row; is_binding: whether messages are bound to their positions. Servers of a release that does not report its keys count as
--           not having the key.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    since timestamptz := clock_timestamp() - interval '3 minutes';
begin
    return query
    select exists (
               select from queen.server s
               join queen.server_gauge g on g.server_id = any (array[s.id])
               where s.seen_at > clock_timestamp() - interval '2 minutes'
                 and g.minutes = 1 and g.at >= since and g.name = 'encryption.key.' || can_reencrypt.key_id)
           and not exists (
               select from queen.server s
               where s.seen_at > clock_timestamp() - interval '2 minutes'
                 and exists (
                     select from queen.server_gauge g
                     where g.server_id = s.id and g.minutes = 1 and g.at >= since and g.name like 'encryption.key%' and g.last > 0)
                 and not exists (
                     select from queen.server_gauge g
                     where g.server_id = s.id and g.minutes = 1 and g.at >= since and g.name = 'encryption.key.' || can_reencrypt.key_id)),
           y.binds_messages
    from queen.system_state y
    where y.is_the_only_row;
end
$$;
