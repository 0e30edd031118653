-- Pushing and acknowledging inside a transaction of the user's own program. These functions are what such programs call, so they
-- stay as they are; what they do is in the routines of the release in use.

-- What is still to be done when the transaction commits. No row outlives the transaction that wrote it, so nothing needs logging.
-- group_name, lease_id, message_offset: of an acknowledged message; null for a lane that was pushed to.
create unlogged table queen.commitment (
    transaction     xid8    not null default pg_current_xact_id(),
    queue_name      text    not null,
    partition_id    uuid    not null,
    group_name      text,
    lease_id        uuid,
    message_offset  bigint,
    unique (transaction, partition_id, group_name, message_offset)
);

-- The routines of the release that started last.
create function queen.routines()
returns text
language sql stable
as $$
select name from queen.routine_set order by used_at desc limit 1
$$;

-- Runs as its owner, so that a program needs nothing but the right to use the schema queen.
create function queen.push(queue text, partition text, payload text, transaction_id text default null)
returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    answer text;
begin
    execute format('select %I.push_within($1, $2, $3, $4)', queen.routines())
    into answer using queue, partition, payload, transaction_id;
    return answer;
end
$$;

create function queen.push(queue text, partition text, payload json, transaction_id text default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id)
$$;

create function queen.push(queue text, partition text, payload jsonb, transaction_id text default null)
returns text
language sql volatile
as $$
select queen.push(queue, partition, payload::text, transaction_id)
$$;

create function queen.ack(partition_id uuid, consumer_group text, lease_id uuid, transaction_id text)
returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    answer text;
begin
    execute format('select %I.ack_within($1, $2, $3, $4)', queen.routines())
    into answer using partition_id, consumer_group, lease_id, transaction_id;
    return answer;
end
$$;

create function queen.commit()
returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
    execute format('select %I.commit_within($1)', queen.routines()) using new;
    return null;
end
$$;

create constraint trigger commitment_is_kept
after insert on queen.commitment
deferrable initially deferred
for each row execute function queen.commit();
