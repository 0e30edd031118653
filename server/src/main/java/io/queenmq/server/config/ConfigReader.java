package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.*;

import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.config.SpoolConfig;
import io.queenmq.schema.CitusUse;
import io.queenmq.server.config.ServerConfig.Access;
import io.queenmq.server.config.ServerConfig.Logging;
import io.queenmq.server.config.ServerConfig.Operations;
import io.queenmq.server.config.ServerConfig.Storage;
import io.queenmq.server.config.UpkeepConfig.DaysKept;
import io.queenmq.server.config.UpkeepConfig.Removal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** Reads all settings from environment variables and a file. */
public final class ConfigReader {
    /** More event loops or concurrent calls do not increase throughput: PostgreSQL is the bottleneck. */
    private static final int DEFAULT_CONCURRENCY_MAX = 4;

    private final Environment environment;

    private final DescriptorLimit descriptors;

    private ConfigReader(Environment environment, DescriptorLimit descriptors) {
        this.environment = environment;
        this.descriptors = descriptors;
    }

    /**
     * Reads the settings from the environment, and from the file that {@code QUEEN_CONFIG} names.
     *
     * @throws ConfigException if settings are invalid; the message lists all of them
     */
    public static ServerConfig read(Map<String, String> variables) {
        return read(variables, DescriptorLimit.ofThisProcess());
    }

    static ServerConfig read(Map<String, String> variables, DescriptorLimit descriptors) {
        SettingsFile file = SettingsFile.read(variables);
        Environment environment = new Environment(OidcConfig.withImplied(file.variables()));
        file.problems().forEach(environment::problem);
        file.warnings().forEach(environment::warn);
        ServerConfig config = new ConfigReader(environment, descriptors).read();
        if (!environment.problems().isEmpty()) {
            throw new ConfigException(environment.problems());
        }
        return config;
    }

    private ServerConfig read() {
        DatabaseConfig database = database();
        AuthConfig auth = AuthConfig.read(environment);
        KeyConfig keys = KeyConfig.read(environment);
        HttpConfig http = http(auth != null);
        return new ServerConfig(http, new Storage(data(), database, shards(), spool()),
                new Access(auth, keys, EncryptionSettings.read(environment)),
                ClusterSettings.read(environment, database.host() == null), engine(), pop(),
                operations(http.exposure()));
    }

    private Operations operations(ExposureConfig exposure) {
        LogLevel level = LogLevel.valueOf(environment.text(LOG_LEVEL).toUpperCase(Locale.ROOT));
        return new Operations(new Logging(level, environment.text(LOG_FORMAT).equals("json"), warnings(exposure)),
                numbers(), upkeep(), environment.millis(SHUTDOWN_GRACE_MS));
    }

    private List<String> warnings(ExposureConfig exposure) {
        List<String> warnings = new ArrayList<>(environment.warnings());
        if (exposure.isOpen()) {
            warnings.add(ExposureConfig.OPEN_WARNING);
        }
        return warnings;
    }

    private HttpConfig http(boolean isAuthenticated) {
        return new HttpConfig(ExposureConfig.read(environment, isAuthenticated), environment.integer(PORT),
                environment.integer(NUM_WORKERS, halfOfTheCores()), limits(), TlsConfig.read(environment),
                environment.integer(METRICS_MAX_SERIES), OidcConfig.read(environment));
    }

    private HttpConfig.Limits limits() {
        return new HttpConfig.Limits(environment.integer(MAX_BODY_BYTES),
                environment.whole(MAX_REQUEST_BYTES, eighthOfTheHeap()), environment.millis(BODY_WAIT_MS),
                environment.millis(HEADER_TIMEOUT_MS), environment.millis(BODY_TIMEOUT_MS),
                environment.millis(WRITE_TIMEOUT_MS), HttpConfig.ConnectionLimits.read(environment, descriptors));
    }

    /** Counted bytes are briefly in memory twice, and the heap contains more than bodies and responses. */
    private static long eighthOfTheHeap() {
        return Runtime.getRuntime().maxMemory() / 8;
    }

    /** The other half is for a PostgreSQL on the same machine. */
    private static int halfOfTheCores() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, DEFAULT_CONCURRENCY_MAX);
    }

    private Path data() {
        return path(QUEEN_DATA);
    }

    private Path path(Setting setting) {
        try {
            return Path.of(environment.text(setting));
        } catch (InvalidPathException e) {
            environment.problem(setting + " must be a path: " + e.getMessage());
            return Path.of("");
        }
    }

    private SpoolConfig spool() {
        Path folder = environment.textOrNull(SPOOL_DIR) == null ? data().resolve("spool") : path(SPOOL_DIR);
        return new SpoolConfig(environment.flag(SPOOL_ENABLED), folder, environment.whole(SPOOL_MAX_BYTES));
    }

    private DatabaseConfig database() {
        return new DatabaseConfig(environment.textOrNull(PG_HOST), environment.integer(PG_PORT),
                environment.text(PG_DB), environment.text(PG_USER), environment.text(PG_PASSWORD),
                PostgresTls.read(environment), new DatabaseConfig.Timeouts(environment.millis(DB_CONNECTION_TIMEOUT),
                        environment.millis(DB_STATEMENT_TIMEOUT), environment.millis(DB_LOCK_TIMEOUT)));
    }

    private ShardConfig shards() {
        OptionalInt count = environment.textOrNull(QUEEN_SHARDS) == null
                ? OptionalInt.empty()
                : OptionalInt.of(environment.integer(QUEEN_SHARDS));
        return new ShardConfig(count, CitusUse.valueOf(environment.text(QUEEN_CITUS).toUpperCase(Locale.ROOT)),
                environment.flag(QUEEN_CITUS_DIRECT));
    }

    private EngineConfig engine() {
        return new EngineConfig(environment.integer(MAX_ITEMS_PER_TX), environment.millis(MICRO_BATCH_WAIT_MS),
                environment.integer(MAX_CALLS_IN_FLIGHT, halfOfTheCores()), environment.integer(MAX_WAITING_REQUESTS),
                environment.millis(DB_UNAVAILABLE_AFTER_MS), environment.seconds(DEDUP_WINDOW_SECONDS),
                environment.integer(DEDUP_WINDOW_MESSAGES), environment.integer(DEDUP_MEMORY_MESSAGES),
                environment.whole(SEGMENT_CACHE_BYTES), environment.integer(POP_MAX_BYTES),
                environment.whole(MAX_ANSWER_BYTES, eighthOfTheHeap()), environment.integer(MAX_PARKED_POPS),
                popWait());
    }

    private EngineConfig.PopWait popWait() {
        var wait = new EngineConfig.PopWait(environment.millis(POP_WAIT_BASE_INTERVAL_MS),
                environment.integer(POP_WAIT_BACKOFF_THRESHOLD), environment.decimal(POP_WAIT_BACKOFF_MULTIPLIER),
                environment.millis(POP_WAIT_MAX_INTERVAL_MS));
        if (wait.maxInterval().compareTo(wait.baseInterval()) < 0) {
            environment.problem(POP_WAIT_MAX_INTERVAL_MS + " must not be less than " + POP_WAIT_BASE_INTERVAL_MS);
        }
        return wait;
    }

    private NumbersConfig numbers() {
        return new NumbersConfig(environment.textOrNull(WORKER_ID), environment.millis(METRICS_REPORT_INTERVAL_MS),
                environment.millis(STATS_INTERVAL_MS));
    }

    private UpkeepConfig upkeep() {
        return new UpkeepConfig(
                new Removal(environment.millis(RETENTION_INTERVAL), environment.integer(RETENTION_BATCH_SIZE)),
                new Removal(environment.millis(EVICTION_INTERVAL), environment.integer(EVICTION_BATCH_SIZE)),
                new DaysKept(environment.integer(PARTITION_CLEANUP_DAYS), environment.integer(METRICS_RETENTION_DAYS),
                        environment.integer(AUDIT_RETENTION_DAYS)),
                environment.millis(KEY_SWEEP_INTERVAL), environment.flag(REENCRYPTION_ENABLED));
    }

    private PopConfig pop() {
        return new PopConfig(environment.millis(DEFAULT_TIMEOUT), environment.integer(DEFAULT_BATCH_SIZE),
                environment.text(DEFAULT_SUBSCRIPTION_MODE));
    }
}
