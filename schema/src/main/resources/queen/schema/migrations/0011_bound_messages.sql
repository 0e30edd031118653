-- Whether encrypted messages are bound to their position (queue, partition and offset). Releases before this column cannot decrypt such
-- messages, so it is set when all servers know it, and older releases are then refused (see bind_messages).
alter table queen.system_state add column binds_messages boolean not null default false;
