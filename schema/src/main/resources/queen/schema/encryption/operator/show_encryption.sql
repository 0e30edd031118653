create function :api.show_encryption()
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns the keys that stored messages and dead letters of encrypted queues are encrypted with, as last counted by upkeep, and
--           the servers that have each key.
-- Params:   none.
-- Returns:  {countedAt, isBinding, keys: [{keyId, messages, bytes, unbound, deadLetters, streamStates, servers, isCurrent}], queues:
--           [{queue, encryptionEnabled, unchecked, keys: [{keyId, messages, bytes, unbound, deadLetters, streamStates}]}]}. keyId is null
--           for clear text. isCurrent: a server encrypts with this key. servers: the number of servers that have it. deadLetters,
--           streamStates: those that are not encrypted with the current key. unbound: messages that are not bound to their offsets.
-- Locks:    none.
-- Writes:   nothing
begin
    return (
        with cover as (
            select c.queue_id, nullif(c.key_id, '') as key_id,
                   coalesce(sum(c.count) filter (where c.kind = 'message'), 0) as messages,
                   coalesce(sum(c.bytes) filter (where c.kind = 'message'), 0) as bytes,
                   coalesce(sum(c.count) filter (where c.kind = 'message' and c.key_id <> '' and not c.is_bound), 0) as unbound,
                   coalesce(sum(c.count) filter (where c.kind = 'dead_letter'), 0) as letters,
                   coalesce(sum(c.count) filter (where c.kind = 'stream_state'), 0) as states
            from queen.key_cover c
            where c.kind <> 'unchecked'
            group by c.queue_id, c.key_id
        ), held as (
            select split_part(g.name, '.', 3) as key_id, count(distinct g.server_id) as servers, max(g.last) > 1 as is_current
            from queen.server s
            join queen.server_gauge g on g.server_id = any (array[s.id])
            where s.seen_at > clock_timestamp() - interval '2 minutes'
              and g.minutes = 1
              and g.at >= clock_timestamp() - interval '3 minutes'
              and g.name like 'encryption.key.%'
            group by 1
        ), total as (
            select coalesce(c.key_id, '') as key_id, sum(c.messages) as messages, sum(c.bytes) as bytes, sum(c.unbound) as unbound,
                   sum(c.letters) as letters, sum(c.states) as states
            from cover c
            group by 1
        )
        select json_build_object(
            'countedAt', (select :api.iso_millis(max(c.counted_at)) from queen.key_cover c where c.kind in ('message', 'unchecked')),
            'isBinding', (select y.binds_messages from queen.system_state y where y.is_the_only_row),
            'keys', coalesce((
                select json_agg(json_build_object('keyId', nullif(k.key_id, ''), 'isCurrent', coalesce(h.is_current, false),
                    'servers', coalesce(h.servers, 0), 'messages', coalesce(t.messages, 0), 'bytes', coalesce(t.bytes, 0),
                    'unbound', coalesce(t.unbound, 0), 'deadLetters', coalesce(t.letters, 0), 'streamStates', coalesce(t.states, 0))
                    order by h.is_current desc nulls last, k.key_id)
                from (select t.key_id from total t union select h.key_id from held h) k
                left join total t on t.key_id = k.key_id
                left join held h on h.key_id = k.key_id), '[]'),
            'queues', coalesce((
                select json_agg(json_build_object('queue', q.name, 'encryptionEnabled', q.encryption_enabled,
                    'unchecked', (select coalesce(sum(u.count), 0) from queen.key_cover u where u.queue_id = q.id and u.kind = 'unchecked'),
                    'keys', coalesce((
                        select json_agg(json_build_object('keyId', c.key_id, 'messages', c.messages, 'bytes', c.bytes,
                            'unbound', c.unbound, 'deadLetters', c.letters, 'streamStates', c.states) order by c.key_id)
                        from cover c where c.queue_id = q.id and c.messages + c.letters + c.states > 0), '[]')) order by q.name)
                from queen.queue q
                where q.encryption_enabled or exists (select from queen.key_queue k where k.queue_id = q.id)), '[]'))::text);
end
$$;
