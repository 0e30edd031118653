-- Tokens that are rejected before they expire.
--
-- token_id:       the jti of one token; null if the row covers all tokens issued before a time.
-- subject:        only tokens with this sub; null if the row covers one token, or every subject.
-- issued_before:  tokens with an earlier iat are revoked.
-- expires_at:     upkeep deletes the row after this time; null: never.
create table queen.token_revocation (
    id              bigint      generated always as identity primary key,
    token_id        text,
    subject         text,
    issued_before   timestamptz,
    expires_at      timestamptz,
    created_at      timestamptz not null default clock_timestamp(),
    created_by      text        not null,
    constraint token_revocation_is_about_one_kind check ((token_id is null) = (issued_before is not null)),
    constraint token_revocation_of_a_token_has_no_subject check (token_id is null or subject is null)
);
create unique index token_revocation_token_id_idx on queen.token_revocation (token_id) where token_id is not null;
create unique index token_revocation_subject_idx on queen.token_revocation (coalesce(subject, ''), (subject is null)) where token_id is null;
create index token_revocation_expires_at_idx on queen.token_revocation (expires_at) where expires_at is not null;

-- Incremented with every change of queen.token_revocation. Servers compare it once a second.
create table queen.token_revocation_version (
    is_the_only_row     boolean     primary key default true,
    version             bigint      not null default 0,
    constraint token_revocation_version_has_one_row check (is_the_only_row)
);
insert into queen.token_revocation_version default values;

-- The address of the client of the action; null if unknown.
alter table queen.audit add column address text;
