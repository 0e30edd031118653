-- API keys, for callers without a token issuer.
-- id:          the public part of the key; unique, also among revoked keys.
-- secret_hash: SHA-256 of the secret part. The secret has 256 random bits, so it cannot be guessed from its hash, and no salt is needed.
-- role:        admin, read-write or read-only; null if only the rights apply.
-- rights:      as in the claim queen_rights; null if only the role applies.
-- used_at:     when a server last accepted it, to the minute.
create table queen.api_key (
    id          text        primary key,
    name        text        not null,
    secret_hash bytea       not null,
    role        text,
    rights      text[],
    created_by  text        not null,
    created_at  timestamptz not null default clock_timestamp(),
    expires_at  timestamptz,
    used_at     timestamptz,
    revoked_by  text,
    revoked_at  timestamptz,
    constraint api_key_secret_is_hashed check (octet_length(secret_hash) = 32),
    constraint api_key_role_is_known check (role in ('admin', 'read-write', 'read-only')),
    constraint api_key_allows_something check (role is not null or rights is not null)
);

-- A name is unique among unrevoked keys.
create unique index api_key_name_idx on queen.api_key (name) where revoked_at is null;

-- revision: incremented with every created or revoked key, in the same transaction: servers reload the keys if it has changed.
create table queen.api_key_state (
    is_the_only_row boolean     primary key default true,
    revision        bigint      not null default 0,
    constraint api_key_state_has_one_row check (is_the_only_row)
);
insert into queen.api_key_state default values;
