package io.queenmq.server.config;

import static io.queenmq.server.config.Values.decimal;
import static io.queenmq.server.config.Values.flag;
import static io.queenmq.server.config.Values.oneOf;
import static io.queenmq.server.config.Values.secret;
import static io.queenmq.server.config.Values.text;
import static io.queenmq.server.config.Values.whole;

import io.queenmq.schema.Shards;
import org.jspecify.annotations.Nullable;

/** The environment variables that configure the server. The name of a constant is the name of its variable. */
public enum Setting {
    PORT("6632", whole(0, 65_535), "The port to listen on; 0 picks a free one."),
    HOST("", text(),
            "The address to listen on. Without a value: `127.0.0.1` while requests need neither a token nor an API "
                    + "key (`JWT_ENABLED`, `API_KEYS_ENABLED`), otherwise `0.0.0.0`."),
    ALLOWED_HOSTS("", text(),
            "Host names under which clients reach this server, separated by commas; `*` allows all. Always allowed: "
                    + "addresses, names without a dot, and names that end in `.localhost`, `.local`, `.internal`, "
                    + "`.svc`, `.lan` or `.home.arpa`. Requests with another Host header are answered 403. With "
                    + "tokens, hosts are checked only if this setting has a value."),
    CORS_ORIGINS("", text(),
            "Origins whose pages may call the API from a browser, such as `https://app.example`, separated by commas; "
                    + "`*` allows all. API requests from pages of other origins are answered 403; the server's own "
                    + "dashboard is always allowed."),
    NUM_WORKERS("", whole(1, 256), "Number of HTTP event loops. Without a value: half of the cores, from 1 to 4."),
    LOG_LEVEL("info", oneOf("trace", "debug", "info", "warn", "error"), "Minimum level of log lines."),
    LOG_FORMAT("text", oneOf("text", "json"),
            "Format of log lines. `json`: one JSON object per line, with `time`, `level`, `logger`, `thread`, "
                    + "`message`, and `error` for exceptions."),
    MAX_BODY_BYTES("67108864", whole(1_024, 1_073_741_824),
            "Maximum size of a request body in bytes; a larger one is answered 413."),
    MAX_REQUEST_BYTES("", whole(65_536, 1_099_511_627_776L),
            "Maximum bytes of all request bodies in memory. At the limit, the server stops reading bodies for up to "
                    + "`BODY_WAIT_MS`, then answers 503. Without a value: one eighth of the heap."),
    MAX_ANSWER_BYTES("", whole(65_536, 1_099_511_627_776L),
            "Maximum bytes of messages in memory that are being sent to consumers. At the limit, pops wait until "
                    + "earlier responses are sent. Without a value: one eighth of the heap."),
    BODY_WAIT_MS("10000", whole(0, 600_000),
            "Maximum milliseconds that a request body waits for memory (`MAX_REQUEST_BYTES`) before the request is "
                    + "answered 503."),
    HEADER_TIMEOUT_MS("30000", whole(10, 600_000),
            "Maximum milliseconds from the first byte of a request to the end of its headers; then the connection is "
                    + "closed."),
    BODY_TIMEOUT_MS("30000", whole(10, 600_000),
            "Maximum milliseconds between two parts of a request body before the request is answered 408. While "
                    + "other requests wait for memory, it limits the whole body."),
    WRITE_TIMEOUT_MS("30000", whole(10, 600_000),
            "Maximum milliseconds in which a client reads nothing of its response; then the connection is closed and "
                    + "its messages are delivered to other consumers."),
    FIRST_REQUEST_TIMEOUT_MS("60000", whole(10, 3_600_000),
            "Milliseconds a new connection may stay open without sending a request. A TLS handshake has at most 10 "
                    + "seconds of them."),
    HTTP_MAX_CONNECTIONS("", whole(1, 10_000_000), "MAX_CONNECTIONS",
            "Maximum number of open client connections; more are closed at once. Without a value: 20000, or less if "
                    + "the process may not open that many files. A value that the file limit of the process (`ulimit "
                    + "-n`) does not allow is an error: a quarter of it, from 256 to 1024, is reserved for "
                    + "PostgreSQL, the spool and other servers."),
    HTTP_MAX_CONNECTIONS_PER_ADDRESS("", whole(1, 10_000_000),
            "Maximum number of open connections from one IPv4 address or one IPv6 /64 network; more are closed at "
                    + "once. Without a value: half of `HTTP_MAX_CONNECTIONS`. If all clients use one proxy "
                    + "or NAT gateway, set it to the value of `HTTP_MAX_CONNECTIONS`."),
    QUEEN_DATA("./queen-data", text(), "Directory with the data of the embedded PostgreSQL and the spool."),

    PG_HOST("", text(), "Host of your PostgreSQL. Without a value, Queen starts the embedded PostgreSQL."),
    PG_PORT("5432", whole(1, 65_535), "Port of your PostgreSQL."),
    PG_DB("postgres", text(), "Name of the database."),
    PG_USER("postgres", text(), "Database user."),
    PG_PASSWORD("postgres", secret(), "Password of the database user."),
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
    PG_USE_SSL("false", flag(), "Short for `PG_SSLMODE=verify-full`."),
    PG_SSL_REJECT_UNAUTHORIZED("true", flag(),
            "When false, `PG_USE_SSL=true` means `PG_SSLMODE=require`: connections are encrypted, and the certificate of "
                    + "PostgreSQL is not verified."),
    QUEEN_SHARDS("", whole(1, Shards.COUNT_MAX),
            "Number of shards of a new database. It cannot be changed later: the server does not start if the "
                    + "database has another number. Without a value: the number that the database has, or 1."),
    QUEEN_CITUS("auto", oneOf("auto", "required", "off"),
            "Distribution of the shards over the nodes of a Citus cluster. `auto`: if the database has the "
                    + "extension. `required`: always; the server does not start without the extension. `off`: never. Shards "
                    + "that are already distributed stay so."),
    QUEEN_CITUS_DIRECT("true", flag(),
            "If `true`, this server connects to the nodes that have the shards. If false, all calls use the "
                    + "coordinator, for networks in which the workers cannot be reached."),
    DB_CONNECTION_TIMEOUT("2000", whole(1, 600_000), "Maximum milliseconds to open a connection to PostgreSQL."),
    DB_STATEMENT_TIMEOUT("30000", whole(100, 3_600_000), "Maximum milliseconds of a statement."),
    DB_LOCK_TIMEOUT("10000", whole(10, 3_600_000), "Maximum milliseconds that a statement waits for a lock."),
    DB_UNAVAILABLE_AFTER_MS("5000", whole(0, 600_000),
            "Milliseconds that a request waits while PostgreSQL is unavailable. Then pushes are written to the "
                    + "spool, and other requests are answered 503."),

    SPOOL_ENABLED("true", flag(),
            "If `true`, pushes are stored in the spool of this server, and reported as `buffered`, while PostgreSQL "
                    + "is unavailable or push maintenance is on. If false, such pushes are answered 503."),
    SPOOL_DIR("", text(), "FILE_BUFFER_DIR",
            "Directory of the spool, on a disk that is kept when the process ends. Each server needs its own "
                    + "directory. Without a value: `spool` in `QUEEN_DATA`."),
    SPOOL_MAX_BYTES("1073741824", whole(1_048_576, 1_099_511_627_776L),
            "Maximum bytes of the spool; at the limit, pushes are answered 503."),

    DEFAULT_TIMEOUT("30000", whole(0, 3_600_000), "Milliseconds that a waiting pop without a timeout waits."),
    DEFAULT_BATCH_SIZE("1", whole(1, 10_000), "Maximum number of messages of a pop without a batch."),
    POP_MAX_BYTES("8388608", whole(1_024, 1_073_741_824),
            "Approximate maximum bytes of the messages of one pop, for any batch. A pop always delivers at least one "
                    + "message."),
    DEFAULT_SUBSCRIPTION_MODE("", text(),
            "Start position of a new consumer group whose pop has no subscription mode. `new`: messages pushed from "
                    + "then on. Any other value: the oldest message."),

    MICRO_BATCH_WAIT_MS("0", whole(0, 1_000),
            "Milliseconds that a request waits for other requests to share its database call, even if a connection "
                    + "is free."),
    MAX_ITEMS_PER_TX("500", whole(1, 10_000), "Maximum number of requests in one database call."),
    MAX_CALLS_IN_FLIGHT("", whole(1, 64),
            "Maximum number of concurrent database calls of one operation. A smaller number means larger batches and "
                    + "less CPU per message. Without a value: half of the cores, from 1 to 4."),
    MAX_WAITING_REQUESTS("20000", whole(1, 10_000_000),
            "Maximum number of requests of one operation that wait for a database call; more are answered 503."),
    DEDUP_WINDOW_SECONDS("3600", whole(0, 31_536_000),
            "Seconds for which a transactionId is in the deduplication window of its partition."),
    DEDUP_WINDOW_MESSAGES("100000", whole(0, 10_000_000),
            "Number of latest messages of a partition whose transactionIds are in its deduplication window."),
    DEDUP_MEMORY_MESSAGES("4000000", whole(0, 1_000_000_000),
            "Maximum number of transactionIds of all partitions in memory."),
    SEGMENT_CACHE_BYTES("33554432", whole(0, 1_099_511_627_776L),
            "Maximum bytes of recently pushed segments in memory."),
    MAX_PARKED_POPS("20000", whole(0, 10_000_000), "Maximum number of waiting pops; more are answered 503."),
    POP_WAIT_BASE_INTERVAL_MS("100", whole(1, 60_000), "POP_WAIT_INITIAL_INTERVAL_MS",
            "Milliseconds after which a waiting pop polls the database if no arrival has woken it."),
    POP_WAIT_BACKOFF_THRESHOLD("3", whole(0, 1_000), "Number of empty polls before the polling interval grows."),
    POP_WAIT_BACKOFF_MULTIPLIER("2.0", decimal(1, 100), "Factor by which the polling interval grows."),
    POP_WAIT_MAX_INTERVAL_MS("1000", whole(1, 600_000), "Maximum polling interval in milliseconds."),

    STATS_INTERVAL_MS("10000", whole(100, 3_600_000),
            "Milliseconds between two searches for partitions with changes that no server recorded, for example "
                    + "because a server was killed. All other changes are included in the totals within one second."),
    WORKER_ID("", text(), "Name of this server in metrics. Without a value: `worker-` and its port."),
    METRICS_REPORT_INTERVAL_MS("5000", whole(100, 60_000),
            "Milliseconds between two reports of metrics to PostgreSQL."),
    METRICS_MAX_SERIES("200", whole(1, 100_000),
            "Maximum number of queues, and of pairs of queue and group, with their own series in the Prometheus "
                    + "metrics. The oldest queues have series; all others are summed up as `_other`."),

    RETENTION_INTERVAL("300000", whole(10, 86_400_000),
            "Milliseconds between two upkeep passes that remove expired messages and idle partitions."),
    RETENTION_BATCH_SIZE("1000", whole(1, 100_000),
            "Approximate number of segments that one transaction of such a pass removes."),
    EVICTION_INTERVAL("60000", whole(10, 86_400_000),
            "Milliseconds between two upkeep passes that evict messages which have waited longer than "
                    + "`maxWaitTimeSeconds` of their queue."),
    EVICTION_BATCH_SIZE("1000", whole(1, 100_000),
            "Approximate number of messages that one transaction of such a pass evicts."),
    PARTITION_CLEANUP_DAYS("30", whole(1, 36_500), "Days after which an empty, unused partition is deleted."),
    METRICS_RETENTION_DAYS("90", whole(1, 36_500), "Days for which historical metrics are kept."),
    AUDIT_RETENTION_DAYS("365", whole(1, 36_500), "Days for which records of the audit log are kept."),

    KEY_SWEEP_INTERVAL("60000", whole(10, 86_400_000),
            "Milliseconds between two upkeep passes that determine the keys of encrypted messages and re-encrypt "
                    + "them."),
    REENCRYPTION_ENABLED("true", flag(),
            "If `true`, stored messages, dead letters and stream state that are encrypted with one of "
                    + "`QUEEN_ENCRYPTION_OLD_KEYS` are re-encrypted with `QUEEN_ENCRYPTION_KEY` in the background, as soon as "
                    + "all servers have that key."),

    QUEEN_SYNC_ENABLED("", flag(),
            "If `true`, servers on the same database exchange hints. Without a value: enabled with your PostgreSQL, "
                    + "disabled with the embedded one."),
    QUEEN_SYNC_SECRET("", secret(),
            "Secret that authenticates the servers to each other; it must be the same on all. Without a value: a key "
                    + "stored in the database."),
    QUEEN_SYNC_HOST("", text(),
            "Address to listen on for connections of peers. Without a value: the address that connects to "
                    + "PostgreSQL."),
    QUEEN_SYNC_PORT("6633", whole(0, 65_535), "QUEEN_UDP_NOTIFY_PORT",
            "Port to listen on for connections of peers. If it is in use, the server uses one of the next 99 ports, "
                    + "unless `QUEEN_UDP_PEERS` is set; 0 chooses any free port."),
    QUEEN_UDP_PEERS("", text(),
            "Addresses of the peers as `host` or `host:port`, separated by commas. Without a value: peers are "
                    + "discovered through the database."),
    QUEEN_SYNC_HEARTBEAT_MS("1000", whole(50, 60_000), "Milliseconds between two heartbeats to peers."),
    QUEEN_SYNC_DEAD_THRESHOLD_MS("5000", whole(100, 600_000),
            "Milliseconds without a heartbeat after which no hints are sent to a peer until its next heartbeat."),

    SHUTDOWN_GRACE_MS("10000", whole(0, 600_000), "Maximum milliseconds that shutdown waits for requests in progress."),

    TLS_CERT("", text(),
            "A PEM file with the certificate for HTTPS and its intermediate certificates. Requires `TLS_KEY`."),
    TLS_KEY("", text(), "A PEM file with the private key of `TLS_CERT`."),
    TLS_CLIENT_CA("", text(),
            "A PEM file with the certificates of authorities. Clients must then present a certificate that one of them issued."),
    TLS_RELOAD_INTERVAL_MS("10000", whole(10, 3_600_000),
            "Milliseconds between two checks of the TLS files for changes. Changed files take effect without a "
                    + "restart; unusable files are reported in the log and have no effect."),
    QUEEN_ENCRYPTION_KEY("", secret(),
            "The key that encrypts payloads of queues with `encryptionEnabled`: 64 hexadecimal digits."),
    QUEEN_ENCRYPTION_OLD_KEYS("", secret(),
            "Previous keys, separated by commas. Messages that are encrypted with them can still be decrypted."),

    JWT_ENABLED("false", flag(), "If `true`, requests must carry a token."),
    JWT_ALGORITHM("HS256",
            oneOf("HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384",
                    "ES512", "EdDSA", "auto"),
            "The signature algorithm of tokens; `EdDSA` means Ed25519. `auto` accepts every algorithm for which a "
                    + "key is configured, according to the header of the token."),
    JWT_SECRET("", secret(),
            "The secret of HS256, HS384 and HS512 tokens: at least 32, 48 or 64 bytes. The server does not start "
                    + "with a shorter one."),
    JWT_PUBLIC_KEY("", text(),
            "The public key of all other tokens, as PEM; `\\n` may replace a line break. Takes precedence over "
                    + "`JWT_JWKS_URL`."),
    JWT_JWKS_URL("", text(), "The URL of the published public keys of tokens (JWKS)."),
    JWT_JWKS_REFRESH_INTERVAL("3600", whole(1, 31_536_000),
            "Seconds after which the published keys are fetched again."),
    JWT_JWKS_TIMEOUT_MS("5000", whole(100, 60_000),
            "Maximum milliseconds to fetch the published keys, from the connection to the last byte."),
    JWT_ISSUER("", text(), "Required value of `iss` in a token. Without a value, `iss` is not checked."),
    JWT_AUDIENCE("", text(), "Audience that `aud` of a token must contain. Without a value, `aud` is not checked."),
    JWT_CLOCK_SKEW("30", whole(0, 3_600),
            "Maximum difference in seconds between the clocks of the token issuer and this server."),
    JWT_REQUIRE_EXP("true", flag(),
            "If `true`, a token without `exp` is rejected. If false, such a token never expires."),
    JWT_SKIP_PATHS("/health,/metrics,/", text(),
            "Paths that need no token, separated by commas. A path that ends in `/` includes all paths below it, "
                    + "except `/` itself."),
    JWT_ROLES_CLAIM("role", text(), "The claim that names the role."),
    JWT_ROLES_ARRAY_CLAIM("roles", text(), "The claim that lists roles."),
    JWT_ROLE_ADMIN("admin", text(), "The role that allows everything."),
    JWT_ROLE_READ_WRITE("read-write", text(), "The role that allows push, pop, acknowledge and configure."),
    JWT_ROLE_READ_ONLY("read-only", text(), "The role that allows reading."),
    JWT_RIGHTS_CLAIM("queen_rights", text(),
            "The claim that lists rights on queues, such as `pop,read:billing/*`. A token without it has the rights "
                    + "of its role."),
    API_KEYS_ENABLED("", flag(),
            "If `true`, requests must carry an API key or a token. Without a value: the value of `JWT_ENABLED`. With "
                    + "`JWT_ENABLED`, `false` rejects API keys."),
    API_KEYS_BOOTSTRAP_FILE("", text(),
            "A file with an API key for the role `admin`, which is installed while no other such key is in force. A "
                    + "missing file is created with a new key."),
    METRICS_PUBLIC("false", flag(),
            "If `true`, `/metrics/prometheus` needs no token. It contains the names of queues and groups. Without "
                    + "tokens the setting has no effect."),
    AUTH_FAILURES_MAX("100", whole(0, 1_000_000),
            "Rejected tokens of one client address within `AUTH_FAILURES_WINDOW_SECONDS` before the address is "
                    + "blocked; 0 means no limit. IPv6 addresses count by their /64 network."),
    AUTH_FAILURES_WINDOW_SECONDS("60", whole(1, 3_600), "Seconds in which rejected tokens of an address are counted."),
    AUTH_BLOCK_SECONDS("10", whole(1, 3_600),
            "Seconds for which tokens of a blocked address are answered 429 without verification. Tokens that were "
                    + "accepted before still pass."),

    OIDC_ISSUER("", text(),
            "The OpenID Connect provider that users of the dashboard sign in with, exactly as in `iss` of its "
                    + "tokens. It enables tokens and is the default of `JWT_ISSUER`; the keys are those of its discovery "
                    + "document unless `JWT_JWKS_URL` is set. `JWT_ALGORITHM` defaults to `auto`."),
    OIDC_CLIENT_ID("", text(),
            "Client id of the public client of the dashboard. Its redirect address must be `/login` of this server."),
    OIDC_SCOPES("openid", text(), "The scopes to request, separated by spaces; `openid` is required."),
    OIDC_AUDIENCE("", text(),
            "The API that the dashboard requests access tokens for, and the default of `JWT_AUDIENCE`. Without a value, the "
                    + "dashboard uses the ID token, and `JWT_AUDIENCE` defaults to `OIDC_CLIENT_ID`.");

    private final String defaultValue;
    private final Values allowed;
    private final @Nullable String olderName;
    private final String description;

    Setting(String defaultValue, Values allowed, String description) {
        this(defaultValue, allowed, null, description);
    }

    Setting(String defaultValue, Values allowed, @Nullable String olderName, String description) {
        this.defaultValue = defaultValue;
        this.allowed = allowed;
        this.olderName = olderName;
        this.description = description;
    }

    /** Returns the default value; empty if the setting has none, or a computed one. */
    String defaultValue() {
        return defaultValue;
    }

    Values allowed() {
        return allowed;
    }

    /** Returns the former name, which is read if the variable of the constant is not set; null if there is none. */
    @Nullable
    String olderName() {
        return olderName;
    }

    /** Returns true if the value must not be shown. Such a value can be read from a file, see {@link SecretFiles}. */
    boolean isSecret() {
        return allowed instanceof Values.SecretText;
    }

    String description() {
        return description;
    }
}
