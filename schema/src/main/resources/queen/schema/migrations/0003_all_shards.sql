-- Creates a view in the schema queen for every table of the shards, with the same name and columns, over all shards. Called after the
-- shards are created, and again in the transaction of every later migration of the shards. A migration that drops a column or changes its
-- type must drop the view before.
--
-- With one shard a view selects only from the table of that shard: PostgreSQL plans it like the table, and it is updatable. With several
-- shards it has the rows of all of them and is read-only; identity columns (dead_letter_change.id, stream_count.id,
-- touched_partitions.number) are unique within each shard only.
--
-- Sums have one row per primary key (depth_turn, which has none: one row). Their other columns are merged:
--     bigint      added up, except for
--                 queue_depth.revision: the minimum, because every shard must have counted for a revision;
--                 group_depth.since and depth_turn.turn: the maximum. Turns of different shards are unrelated, so this is for
--                 people only; routines compare turns within a shard.
--     timestamptz the minimum. computed_at, searched_at: everything before is in the sums of every shard. oldest_at is that of the
--                 oldest message of all shards. recount_since: since when the sums of any shard are wrong; null if all are right,
--                 as stats_age needs it.
--     boolean     true if it is true in any shard: recount_again.
--     others      the minimum: recount_after, open_after and all_after are the progress of the slowest shard. Routines use them
--                 within a shard only.
create function queen.merge_shards()
returns void
language plpgsql volatile
as $$
declare
    sums constant text[] := array['dead_letter_sum', 'retention_minute', 'queue_depth', 'group_depth', 'group_age', 'depth_turn'];
    shards      text[] := array(select s.name from queen.shard s order by s.number);
    shard_table record;
    all_rows    text;
begin
    for shard_table in
        select t.oid, t.relname as name
        from pg_class t
        join pg_namespace n on n.oid = t.relnamespace
        where n.nspname = shards[1]
          and t.relkind = 'r'
        order by t.relname
    loop
        select string_agg(format('select * from %I.%I', u.shard, shard_table.name), ' union all ' order by u.place)
        into all_rows
        from unnest(shards) with ordinality as u (shard, place);

        if cardinality(shards) > 1 and shard_table.name = any (sums) then
            select format('select %s from (%s) every_shard', string_agg(format(c.merged, c.name), ', ' order by c.place), all_rows)
                   || coalesce(' group by ' || string_agg(quote_ident(c.name), ', ' order by c.place) filter (where c.is_key), '')
            into all_rows
            from (
                select a.attname as name, a.attnum as place, k.is_key,
                       case when k.is_key then '%1$I'
                            when (shard_table.name, a.attname) = ('queue_depth', 'revision') then 'min(%1$I) as %1$I'
                            when (shard_table.name, a.attname) in (('group_depth', 'since'), ('depth_turn', 'turn')) then 'max(%1$I) as %1$I'
                            when a.atttypid = 'bigint'::regtype then 'sum(%1$I)::bigint as %1$I'
                            when a.atttypid = 'boolean'::regtype then 'bool_or(%1$I) as %1$I'
                            -- Before PostgreSQL 18 there is no min of these.
                            when a.atttypid = 'uuid'::regtype then '(array_agg(%1$I order by %1$I))[1] as %1$I'
                            else 'min(%1$I) as %1$I' end as merged
                from pg_attribute a
                cross join lateral (
                    select exists (
                        select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey)) as is_key
                ) k
                where a.attrelid = shard_table.oid
                  and a.attnum > 0
                  and not a.attisdropped
            ) c;
        end if;
        execute format('create or replace view queen.%I as %s', shard_table.name, all_rows);
    end loop;
end
$$;
