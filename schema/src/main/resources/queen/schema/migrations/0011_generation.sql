-- A row that is written for every call leaves old versions behind, and while any transaction in the database is open, they
-- cannot be removed: every search by key walks over all of them, and so does the check of a unique index that a new
-- version is added to. So the hot rows carry a generation, which is a 256th of its writes: the newest generation, the first
-- one found from the end of the index, never has more than 256 versions, and the last one written of them mostly comes first.
-- The index must not be unique: a write that moves on would then be one of the row's key, and have to wait for those who hold
-- the row for key share. That a lane or cursor exists once is what the keys below say, which never change.
alter table queen.cursor
    add column writes bigint not null default 0,
    add column generation bigint not null default 0,
    drop constraint cursor_pkey;
create index cursor_generation_idx on queen.cursor (partition_id, group_name, generation);

create table queen.cursor_key (
    partition_id    uuid    not null,
    group_name      text    not null,
    primary key (partition_id, group_name)
);
insert into queen.cursor_key (partition_id, group_name)
select partition_id, group_name from queen.cursor;

-- A second cursor of a group in a lane is not inserted, as with "on conflict do nothing".
create function queen.claim_cursor_key() returns trigger
language plpgsql
as $$
begin
    insert into queen.cursor_key (partition_id, group_name)
    values (new.partition_id, new.group_name)
    on conflict do nothing;
    if found then
        return new;
    end if;
    return null;
end
$$;
create trigger claim_key before insert on queen.cursor for each row execute function queen.claim_cursor_key();

create function queen.free_cursor_keys() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'TRUNCATE' then
        delete from queen.cursor_key;
        return null;
    end if;
    delete from queen.cursor_key k
    using gone g
    where k.partition_id = any (array[g.partition_id])
      and k.group_name = g.group_name;
    return null;
end
$$;
create trigger free_keys after delete on queen.cursor
referencing old table as gone for each statement execute function queen.free_cursor_keys();
create trigger free_all_keys after truncate on queen.cursor for each statement execute function queen.free_cursor_keys();

alter table queen.partition
    add column writes bigint not null default 0,
    add column generation bigint not null default 0,
    drop constraint partition_pkey;
create index partition_generation_idx on queen.partition (id, generation);

create table queen.partition_key (
    id  uuid    primary key
);
insert into queen.partition_key (id)
select id from queen.partition;

create function queen.claim_partition_key() returns trigger
language plpgsql
as $$
begin
    insert into queen.partition_key (id)
    values (new.id)
    on conflict do nothing;
    if found then
        return new;
    end if;
    return null;
end
$$;
create trigger claim_key before insert on queen.partition for each row execute function queen.claim_partition_key();

create function queen.free_partition_keys() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'TRUNCATE' then
        delete from queen.partition_key;
        return null;
    end if;
    delete from queen.partition_key k
    using gone g
    where k.id = any (array[g.id]);
    return null;
end
$$;
create trigger free_keys after delete on queen.partition
referencing old table as gone for each statement execute function queen.free_partition_keys();
create trigger free_all_keys after truncate on queen.partition for each statement execute function queen.free_partition_keys();

-- Tables without a primary key: somebody may publish all tables of the database, and an update is refused there unless this says
-- how the replica finds the row. Costs nothing where nothing is published.
alter table queen.partition replica identity full;
alter table queen.cursor replica identity full;
alter table queen.catalog replica identity full;
