-- Where servers on this database find each other, and what they prove themselves with. Both only serve hints: a server that
-- finds nobody works as well, and a little later.

-- Members of groups of servers, written by the members themselves.
-- cluster: the name of the group; servers with another secret are another group.
-- ip:      where the member listens for others.
create table queen.cluster_member (
    address     text        primary key,
    name        text,
    cluster     text        not null,
    ip          text        not null,
    coord       boolean     not null,
    since       timestamptz not null default now()
);

-- One row: the key of servers that were given no secret of their own.
create table queen.cluster_key (
    is_the_only_row     boolean     primary key default true,
    key                 bytea       not null,
    constraint cluster_key_has_one_row check (is_the_only_row)
);
insert into queen.cluster_key (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
