create function :api.missing_views(shard text, views text)
returns text[]
language plpgsql volatile
as $$
-- Promise:  returns the statements that create the missing views on tables of the shard and of the catalog that this node has, with all
--           columns and their defaults. Views on tables of the shard have a column ctid, by which routines write; those on the catalog have
--           none and are only read.
-- Params:   the schema of the shard; the schema of the views.
-- Returns:  statements; none if all views exist.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return array(
        select format('drop view if exists %1$s; create view %1$s as select %2$s from %3$s t', t.view_name, t.columns, t.table_name) || (
            -- The defaults are defined on the distributed table, not on the tables of its shards.
            select coalesce(string_agg(format('; alter view %s alter column %I set default %s', t.view_name, a.attname,
                       coalesce(pg_get_expr(f.adbin, f.adrelid),
                                format('nextval(%L)', pg_get_serial_sequence(t.known_as::text, a.attname)))), ''), '')
            from pg_attribute a
            left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
            where a.attrelid = t.known_as and a.attnum > 0 and (f.adbin is not null or a.attidentity <> ''))
        from (
            select c.oid::regclass as known_as, format('%I.%I', views, c.relname) as view_name,
                   shard_name(d.logicalrelid, d.shardid) as table_name,
                   (select string_agg(format('t.%I', a.attname), ', ' order by a.attnum)
                    from pg_attribute a
                    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
                   || case when n.nspname = shard then ', t.ctid' else '' end as columns,
                   (select string_agg(format('t.%I', a.attname), ', ' order by a.attnum)
                    from pg_attribute a
                    where a.attrelid = to_regclass(format('%I.%I', views, c.relname)) and a.attnum > 0) as present
            from pg_dist_shard d
            join pg_class c on c.oid = d.logicalrelid
            join pg_namespace n on n.oid = c.relnamespace
            where n.nspname in (shard, 'queen')
              and exists (
                  select 1
                  from pg_dist_placement p
                  join pg_dist_local_group g on g.groupid = p.groupid
                  where p.shardid = d.shardid)
            order by c.relname
        ) t
        where t.columns is distinct from t.present);
end
$$;
