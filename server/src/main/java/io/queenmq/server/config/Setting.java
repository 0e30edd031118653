package io.queenmq.server.config;

import static io.queenmq.server.config.Values.decimal;
import static io.queenmq.server.config.Values.flag;
import static io.queenmq.server.config.Values.oneOf;
import static io.queenmq.server.config.Values.secret;
import static io.queenmq.server.config.Values.text;
import static io.queenmq.server.config.Values.whole;

import io.queenmq.schema.Shards;

/** Every environment variable the server obeys. The name of the constant is the name of the variable. */
public enum Setting {
    PORT("6632", whole(0, 65_535), "The port to listen on; 0 picks a free one."),
    HOST("", text(),
            "The address to listen on. Without a value: `127.0.0.1` while requests need neither a token nor an API key (`JWT_ENABLED`, `API_KEYS_ENABLED`), otherwise `0.0.0.0`."),
    ALLOWED_HOSTS("", text(),
            "Host names under which clients reach this server, separated by commas; `*` allows all. Always allowed: addresses, names "
                    + "without a dot, and names that end in `.localhost`, `.local`, `.internal`, `.svc`, `.lan` or `.home.arpa`. Requests with another "
                    + "Host header are answered 403. With tokens, hosts are checked only if this setting has a value."),
    CORS_ORIGINS("", text(),
            "Origins whose pages may call the API from a browser, such as `https://app.example`, separated by commas; `*` allows all. "
                    + "API requests from pages of other origins are answered 403; the server's own dashboard is always allowed."),
    NUM_WORKERS("", whole(1, 256),
            "HTTP event loops. Without a value: half the cores, from 1 to 4."),
    LOG_LEVEL("info",
            oneOf("trace", "debug", "info", "warn", "error"),
            "How much is logged."),
    MAX_BODY_BYTES("67108864", whole(1_024, 1_073_741_824),
            "The largest request body in bytes; a larger one is answered 413."),
    MAX_REQUEST_BYTES("", whole(65_536, 1_099_511_627_776L),
            "Bytes of all request bodies in memory. When they are taken, no more is read for a while, and then bodies are "
                    + "answered 503. Without a value: an eighth of the heap."),
    MAX_ANSWER_BYTES("", whole(65_536, 1_099_511_627_776L),
            "Bytes of messages in memory that are on their way to consumers. When they are taken, pops wait for those "
                    + "before them. Without a value: an eighth of the heap."),
    BODY_WAIT_MS("10000", whole(0, 600_000),
            "Milliseconds a request body waits for room before it is answered 503."),
    HEADER_TIMEOUT_MS("30000", whole(10, 600_000),
            "Milliseconds the head of a request may take from its first byte on before its connection is closed."),
    BODY_TIMEOUT_MS("30000", whole(10, 600_000),
            "Milliseconds in which something of a request body must come before it is answered 408; while others wait for "
                    + "room, all of it must."),
    WRITE_TIMEOUT_MS("30000", whole(10, 600_000),
            "Milliseconds a client may read nothing of its answer before its connection is closed, and what it was given "
                    + "goes to others."),
    FIRST_REQUEST_TIMEOUT_MS("60000", whole(10, 3_600_000),
            "Milliseconds a new connection may stay open without sending a request. A TLS handshake has at most 10 seconds of them."),
    HTTP_MAX_CONNECTIONS("", whole(1, 10_000_000), "MAX_CONNECTIONS",
            "Maximum number of open client connections; more are closed at once. Without a value: 20000, or less if the process may "
                    + "not open that many files. A value that the file limit of the process (`ulimit -n`) does not allow is an "
                    + "error: a quarter of it, from 256 to 1024, is reserved for PostgreSQL, the spool and other servers."),
    HTTP_MAX_CONNECTIONS_PER_ADDRESS("", whole(1, 10_000_000),
            "Maximum number of open connections from one IPv4 address or one IPv6 /64 network; more are closed at once. Without a "
                    + "value: half of `HTTP_MAX_CONNECTIONS`. If all clients come through one proxy or NAT gateway, set it to the "
                    + "value of `HTTP_MAX_CONNECTIONS`."),
    QUEEN_DATA(
            "./queen-data", text(),
            "Where the PostgreSQL that Queen brings along keeps its data, and the spool is."),

    PG_HOST("", text(), "The host of your PostgreSQL. Without a value, Queen starts the one it brings along."),
    PG_PORT(
            "5432", whole(1, 65_535), "The port of your PostgreSQL."),
    PG_DB("postgres", text(),
            "The database."),
    PG_USER("postgres", text(), "The database user."),
    PG_PASSWORD("postgres", secret(),
            "The password of the database user."),
    PG_SSLMODE("", oneOf("disable", "prefer", "require", "verify-ca", "verify-full"),
            "TLS to PostgreSQL, as in libpq. Without a value: `PG_USE_SSL` decides. `verify-full` encrypts and verifies the "
                    + "certificate and its host name; `verify-ca` does not verify the name; `require` encrypts and verifies "
                    + "nothing unless `PG_SSLROOTCERT` is set; `prefer` may connect unencrypted."),
    PG_SSLROOTCERT("", text(),
            "A PEM file with the certificates of the authorities that may issue the certificate of PostgreSQL. Without a value, "
                    + "or with `system`: the authorities that the JVM trusts."),
    PG_SSLCERT("", text(),
            "A PEM file with the client certificate that this server authenticates with. Requires `PG_SSLKEY`."),
    PG_SSLKEY("", text(), "A PEM file with the private key of `PG_SSLCERT`, in PKCS #8 format and without a password."),
    PG_USE_SSL("false", flag(),
            "Short for `PG_SSLMODE=verify-full`."),
    PG_SSL_REJECT_UNAUTHORIZED(
            "true", flag(),
            "When false, `PG_USE_SSL=true` means `PG_SSLMODE=require`: connections are encrypted, and the certificate of "
                    + "PostgreSQL is not verified."),
    QUEEN_SHARDS("", whole(1, Shards.COUNT_MAX),
            "How many shards a database gets when it is first set up, and has from then on; another number is refused at the "
                    + "start. Without a value: as many as it has, or 1."),
    QUEEN_CITUS("auto", oneOf("auto", "required", "off"),
            "Whether shards are spread over the nodes of a Citus cluster: where the database has the extension, always (a "
                    + "database without it is refused at the start), or never; shards that are spread stay so."),
    QUEEN_CITUS_DIRECT("true", flag(),
            "Whether this server connects to the nodes that hold the shards. When false, every call goes through the "
                    + "coordinator, for networks in which the workers cannot be reached."),
    DB_CONNECTION_TIMEOUT(
            "2000", whole(1, 600_000),
            "Milliseconds a connection to PostgreSQL may take to open."),
    DB_STATEMENT_TIMEOUT(
            "30000", whole(100, 3_600_000),
            "Milliseconds a statement may run."),
    DB_LOCK_TIMEOUT(
            "10000", whole(10, 3_600_000),
            "Milliseconds a statement may wait for a lock."),
    DB_UNAVAILABLE_AFTER_MS(
            "5000", whole(0, 600_000),
            "Milliseconds a request waits for a lost PostgreSQL before it is answered 503, or kept in the spool if it is a push."),

    SPOOL_ENABLED("true", flag(),
            "Whether pushes are kept on this server's disk, and answered `buffered`, while PostgreSQL is away or pushes are "
                    + "switched off for maintenance. When false, they are answered 503."),
    SPOOL_DIR("", text(), "FILE_BUFFER_DIR",
            "The folder they are kept in, on a disk that outlives this process; each server needs one of its own. Without a "
                    + "value: `spool` in `QUEEN_DATA`."),
    SPOOL_MAX_BYTES("1073741824", whole(1_048_576, 1_099_511_627_776L),
            "The most bytes in that folder; when they are taken, pushes are answered 503."),

    DEFAULT_TIMEOUT("30000", whole(0, 3_600_000),
            "Milliseconds a waiting pop waits when it names no timeout."),
    DEFAULT_BATCH_SIZE("1", whole(1, 10_000),
            "Messages a pop asks for when it names no batch."),
    POP_MAX_BYTES("8388608", whole(1_024, 1_073_741_824),
            "About how many bytes of messages one pop is given, whatever its batch is; at least one message."),
    DEFAULT_SUBSCRIPTION_MODE("", text(),
            "Where a new consumer group begins when it does not say: `new` at what comes from then on, "
                    + "anything else at the oldest message."),

    MICRO_BATCH_WAIT_MS("0", whole(0, 1_000),
            "Milliseconds a request waits for company although a connection is free."),
    MAX_ITEMS_PER_TX("500",
            whole(1, 10_000), "The most requests moved by one database call."),
    MAX_CALLS_IN_FLIGHT("", whole(1, 64),
            "The most database calls of one operation at a time; fewer means larger batches, and less CPU per message. "
                    + "Without a value: half the cores, from 1 to 4."),
    MAX_WAITING_REQUESTS(
            "20000", whole(1, 10_000_000),
            "The most requests of one operation waiting for a database call; more are answered 503."),
    DEDUP_WINDOW_SECONDS(
            "3600", whole(0, 31_536_000),
            "Seconds a transactionId is remembered in its partition."),
    DEDUP_WINDOW_MESSAGES(
            "100000", whole(0, 10_000_000),
            "Messages back that a transactionId is remembered in its partition."),
    DEDUP_MEMORY_MESSAGES(
            "4000000", whole(0, 1_000_000_000),
            "TransactionIds all partitions together keep in memory."),
    SEGMENT_CACHE_BYTES(
            "33554432", whole(0, 1_099_511_627_776L),
            "Bytes of what was pushed lately that stay in memory."),
    MAX_PARKED_POPS(
            "20000", whole(0, 10_000_000),
            "The most waiting pops; more are answered 503."),
    POP_WAIT_BASE_INTERVAL_MS(
            "100", whole(1, 60_000),
            "POP_WAIT_INITIAL_INTERVAL_MS",
            "Milliseconds after which waiting pops that nobody woke look by themselves."),
    POP_WAIT_BACKOFF_THRESHOLD(
            "3", whole(0, 1_000),
            "Empty looks before the interval grows."),
    POP_WAIT_BACKOFF_MULTIPLIER(
            "2.0",
            decimal(1, 100),
            "By how much the interval grows."),
    POP_WAIT_MAX_INTERVAL_MS(
            "1000",
            whole(1, 600_000),
            "The longest interval in milliseconds."),

    STATS_INTERVAL_MS("10000", whole(100, 3_600_000),
            "Milliseconds between two searches for partitions of which no server wrote down that something happened, as when one was"
                    + " killed. Everything else is in the sums over partitions within a second."),
    WORKER_ID("", text(),
            "What this server is called in numbers. Without a value: `worker-` and its port."),
    METRICS_REPORT_INTERVAL_MS("5000", whole(100, 60_000),
            "Milliseconds between two reports of what was counted to PostgreSQL."),
    METRICS_MAX_SERIES("200", whole(1, 100_000),
            "How many queues, and how many pairs of a queue and a group, have series of their own in the text for Prometheus. "
                    + "The oldest queues do; the rest is summed up as `_other`."),

    RETENTION_INTERVAL("300000", whole(10, 86_400_000),
            "Milliseconds between two passes that remove messages a queue does not keep any longer, and idle partitions."),
    RETENTION_BATCH_SIZE("1000", whole(1, 100_000),
            "About how many segments one transaction of such a pass removes."),
    EVICTION_INTERVAL("60000", whole(10, 86_400_000),
            "Milliseconds between two passes over messages that wait longer than their queue allows."),
    EVICTION_BATCH_SIZE("1000", whole(1, 100_000),
            "About how many messages one transaction of such a pass takes out of the way."),
    PARTITION_CLEANUP_DAYS("30", whole(1, 36_500),
            "Days after which an empty partition nobody uses is deleted."),
    METRICS_RETENTION_DAYS("90", whole(1, 36_500),
            "Days that figures about the past are kept."),
    AUDIT_RETENTION_DAYS("365", whole(1, 36_500),
            "Days that records of the audit log are kept."),

    KEY_SWEEP_INTERVAL("60000", whole(10, 86_400_000),
            "Milliseconds between two passes over encrypted queues that find out which keys their messages are encrypted with, and "
                    + "re-encrypt them."),
    REENCRYPTION_ENABLED("true", flag(),
            "Whether stored messages, dead letters and stream state that are encrypted with one of `QUEEN_ENCRYPTION_OLD_KEYS` are re-encrypted "
                    + "with `QUEEN_ENCRYPTION_KEY` in the background, as soon as all servers have that key."),

    QUEEN_SYNC_ENABLED("", flag(),
            "Whether servers on the same database tell each other hints. Without a value: yes with your PostgreSQL, no with "
                    + "the one that Queen brings along."),
    QUEEN_SYNC_SECRET("", secret(),
            "What these servers prove themselves with; the same for all. Without a value: a key that is kept in the database."),
    QUEEN_SYNC_HOST("", text(),
            "The address to listen on for other servers. Without a value: the one that reaches PostgreSQL."),
    QUEEN_SYNC_PORT("6633", whole(0, 65_535), "QUEEN_UDP_NOTIFY_PORT",
            "The port to listen on for other servers. If it is taken, one of the 99 after it is, unless `QUEEN_UDP_PEERS` is "
                    + "given; 0 picks any."),
    QUEEN_UDP_PEERS("", text(),
            "Where the other servers are, as `host` or `host:port`, separated by commas. Without a value: they are found "
                    + "through the database."),
    QUEEN_SYNC_HEARTBEAT_MS("1000", whole(50, 60_000),
            "Milliseconds between two signs of life to other servers."),
    QUEEN_SYNC_DEAD_THRESHOLD_MS("5000", whole(100, 600_000),
            "Milliseconds without a sign of life after which a server is told nothing until the next one."),

    SHUTDOWN_GRACE_MS("10000", whole(0, 600_000), "Milliseconds that requests under way have to end at shutdown."),

    TLS_CERT("", text(),
            "A PEM file with the certificate to serve HTTPS with, and those it depends on. Goes with `TLS_KEY`."),
    TLS_KEY("", text(), "A PEM file with the private key of `TLS_CERT`."),
    TLS_CLIENT_CA("", text(),
            "A PEM file with the certificates of authorities. Clients must then present a certificate that one of them issued."),
    TLS_RELOAD_INTERVAL_MS("10000", whole(10, 3_600_000),
            "Milliseconds between two comparisons of the TLS files with the certificates in use. Changed files take effect "
                    + "without a restart; files that cannot be used are reported in the log and change nothing."),
    QUEEN_ENCRYPTION_KEY("", secret(),
            "The key that encrypts payloads of queues with `encryptionEnabled`: 64 hexadecimal digits."),
    QUEEN_ENCRYPTION_OLD_KEYS("", secret(),
            "Keys that were used before, separated by commas: what they encrypted can still be read."),

    JWT_ENABLED("false", flag(), "Whether requests must carry a token."),
    JWT_ALGORITHM("HS256",
            oneOf("HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384",
                    "ES512", "EdDSA", "auto"),
            "The signature algorithm of tokens; `EdDSA` means Ed25519. `auto` accepts all of these by the header of the token, as far "
                    + "as there is a key for the algorithm."),
    JWT_SECRET("", secret(),
            "The secret of HS256, HS384 and HS512 tokens: at least 32, 48 or 64 bytes. A shorter one stops the start."),
    JWT_PUBLIC_KEY("", text(),
            "The public key of all other tokens, as PEM; `\\n` may stand for a line break. Wins over `JWT_JWKS_URL`."),
    JWT_JWKS_URL("", text(), "The address at which the public keys of tokens are published (JWKS)."),
    JWT_JWKS_REFRESH_INTERVAL("3600", whole(1, 31_536_000),
            "Seconds after which the published keys are fetched again."),
    JWT_JWKS_TIMEOUT_MS("5000", whole(100, 60_000),
            "Milliseconds that fetching the published keys may take, from the connection to the last byte."),
    JWT_ISSUER("", text(), "What `iss` of a token must be; without a value it is not looked at."),
    JWT_AUDIENCE("", text(), "What `aud` of a token must name; without a value it is not looked at."),
    JWT_CLOCK_SKEW("30", whole(0, 3_600), "Seconds that the clock of whoever signs tokens may be off."),
    JWT_REQUIRE_EXP("true", flag(),
            "Whether a token without `exp` is rejected. When false, such a token never expires."),
    JWT_SKIP_PATHS("/health,/metrics,/", text(),
            "Paths that need no token, separated by commas; one that ends in `/` stands for all below it, but `/` for itself."),
    JWT_ROLES_CLAIM("role", text(), "The claim that names the role."),
    JWT_ROLES_ARRAY_CLAIM("roles", text(), "The claim that lists roles."),
    JWT_ROLE_ADMIN("admin", text(), "The role that may do everything."),
    JWT_ROLE_READ_WRITE("read-write", text(), "The role that may push, pop, acknowledge and configure."),
    JWT_ROLE_READ_ONLY("read-only", text(), "The role that may look."),
    JWT_RIGHTS_CLAIM("queen_rights", text(),
            "The claim that lists rights on queues, such as `pop,read:billing/*`. A token without it has the rights of its role."),
    API_KEYS_ENABLED("", flag(),
            "Whether requests must carry an API key or a token. Without a value: as `JWT_ENABLED` says. With `JWT_ENABLED`, `false` "
                    + "rejects API keys."),
    API_KEYS_BOOTSTRAP_FILE("", text(),
            "A file with an API key for the role `admin`, which is installed while no other such key is in force. A missing file is "
                    + "created with a new key."),
    METRICS_PUBLIC("false", flag(),
            "Whether `/metrics/prometheus` needs no token. It contains the names of queues and groups. Without tokens the setting "
                    + "has no effect."),
    AUTH_FAILURES_MAX("100", whole(0, 1_000_000),
            "Rejected tokens of one client address within `AUTH_FAILURES_WINDOW_SECONDS` before the address is blocked; 0 means no "
                    + "limit. IPv6 addresses count by their /64 network."),
    AUTH_FAILURES_WINDOW_SECONDS("60", whole(1, 3_600), "Seconds in which rejected tokens of an address are counted."),
    AUTH_BLOCK_SECONDS("10", whole(1, 3_600),
            "Seconds for which tokens of a blocked address are answered 429 without verification. Tokens that were accepted before "
                    + "still pass."),

    OIDC_ISSUER("", text(),
            "The OpenID Connect provider that users of the dashboard sign in with, exactly as in `iss` of its tokens. Turns tokens "
                    + "on, and is the default of `JWT_ISSUER`; the keys are those of its discovery document unless "
                    + "`JWT_JWKS_URL` is given. `JWT_ALGORITHM` defaults to `auto`."),
    OIDC_CLIENT_ID("", text(),
            "The public client that the dashboard is registered as, with the redirect address `/login` of this server."),
    OIDC_SCOPES("openid", text(), "The scopes to request, separated by spaces; `openid` is required."),
    OIDC_AUDIENCE("", text(),
            "The API that the dashboard requests access tokens for, and the default of `JWT_AUDIENCE`. Without a value, the "
                    + "dashboard uses the ID token, and `JWT_AUDIENCE` defaults to `OIDC_CLIENT_ID`.");

    private final String standard;
    private final Values allowed;
    private final String olderName;
    private final String meaning;

    Setting(String standard, Values allowed, String meaning) {
        this(standard, allowed, null, meaning);
    }

    Setting(String standard, Values allowed, String olderName, String meaning) {
        this.standard = standard;
        this.allowed = allowed;
        this.olderName = olderName;
        this.meaning = meaning;
    }

    /** The value when none is given; empty when the setting then means something else, or nothing. */
    String standard() {
        return standard;
    }

    Values allowed() {
        return allowed;
    }

    /** A name that is accepted too, where the one of the constant is missing; null when there is none. */
    String olderName() {
        return olderName;
    }

    /** Whether the value must not be seen; it can then be read from a file, see {@link SecretFiles}. */
    boolean isSecret() {
        return allowed instanceof Values.SecretText;
    }

    String meaning() {
        return meaning;
    }
}
