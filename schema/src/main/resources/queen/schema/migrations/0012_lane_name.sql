-- Lanes are gone through by name in the keys, which never change: an index by name on the lanes themselves gets another entry
-- whenever a lane's row leaves its page, and while a transaction is open elsewhere none of them goes. Besides, that is one index
-- less to write for a push.
-- The keys are locked first, as catch_up does, and the lanes last.
alter table queen.partition_key
    add column queue_id uuid,
    add column name text;
update queen.partition_key k
set queue_id = p.queue_id, name = p.name
from queen.partition p
where p.id = k.id;
alter table queen.partition_key
    alter column queue_id set not null,
    alter column name set not null;

-- Not unique, for the id says all that needs to be: it follows from queue and name, and only a second lane of the same id is left out.
create index partition_key_queue_id_name_idx on queen.partition_key (queue_id, name);

create or replace function queen.claim_partition_key() returns trigger
language plpgsql
as $$
begin
    insert into queen.partition_key (id, queue_id, name)
    values (new.id, new.queue_id, new.name)
    on conflict do nothing;
    if found then
        return new;
    end if;
    return null;
end
$$;

drop index queen.partition_queue_id_name_idx;
