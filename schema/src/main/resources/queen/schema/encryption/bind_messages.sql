create function :api.bind_messages()
returns void
language plpgsql volatile
as $$
-- Promise:  switches the binding of encrypted messages to their positions on, if a queue is encrypted and every server that reported in the
--           last two minutes can decrypt such messages. From then on releases that cannot decrypt them do not start.
-- Params:   none.
-- Returns:  nothing.
-- Locks:    queen.system_state and the queen.migration row, if it changes them.
-- Writes:   queen.system_state, queen.migration
begin
    if (select s.binds_messages from queen.system_state s where s.is_the_only_row)
        or not exists (select from queen.queue q where q.encryption_enabled)
        or exists (
            -- Servers with the same routine set are of this release.
            select from queen.server s
            where s.seen_at > clock_timestamp() - interval '2 minutes'
              and s.routine_set is distinct from ':api')
    then
        return;
    end if;
    update queen.system_state set binds_messages = true;
    update queen.migration
    set breaking = 'Encrypted messages are bound to their position, and this release cannot decrypt them.'
    where number = 11;
end
$$;
