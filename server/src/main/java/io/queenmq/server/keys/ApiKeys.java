package io.queenmq.server.keys;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.auth.MalformedRights;
import io.queenmq.server.auth.Rights;
import io.queenmq.server.auth.Role;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API keys in force. All of them are in memory, so a flood of invented keys does not reach the database. A change is loaded
 * half a second after its commit at the latest, which is what revokes a key on all servers. While the database cannot be reached,
 * the loaded keys stay in force for {@link #KEPT_MAX}. Safe from any thread.
 */
public final class ApiKeys implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApiKeys.class);

    static final Duration LOAD_EVERY = Duration.ofMillis(500);

    /**
     * The time for which loaded keys are accepted while the database is unavailable: the spool accepts pushes during that
     * time.
     */
    public static final Duration KEPT_MAX = Duration.ofMinutes(15);

    /** A load that takes longer counts as failed; a key that is missing then is reported as unavailable, not as unknown. */
    private static final Duration FRESH_MAX = Duration.ofSeconds(5);
    private static final Duration REPORT_EVERY = Duration.ofMinutes(1);
    private static final Duration FIRST_LOAD_MAX = Duration.ofSeconds(10);
    private static final long NONE = -1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Vertx vertx;
    private final OperatorQueries operatorQueries;
    private final Clock clock;
    private final long loadTimer;
    private final long reportTimer;
    private final Map<String, Long> reported = new HashMap<>();
    private volatile Map<String, ApiKey> keys = Map.of();
    private volatile long loadedNs;
    private volatile boolean isLoaded;
    private CompletableFuture<Void> current = CompletableFuture.completedFuture(null);
    private long revision = NONE;
    private long begunNs;
    private boolean isLoading;
    private boolean isFailing;

    private ApiKeys(Vertx vertx, OperatorQueries operatorQueries, Clock clock) {
        this.vertx = vertx;
        this.operatorQueries = operatorQueries;
        this.clock = clock;
        this.loadTimer = vertx.setPeriodic(LOAD_EVERY.toMillis(), _ -> load());
        this.reportTimer = vertx.setPeriodic(REPORT_EVERY.toMillis(), _ -> reportUse());
    }

    /** Waits for the keys for some seconds. If they cannot be loaded, the server starts without them. */
    public static ApiKeys open(Vertx vertx, OperatorQueries operatorQueries) {
        return open(vertx, operatorQueries, Clock.SYSTEM);
    }

    /** Does not wait for the keys: the database is known to be unavailable. */
    public static ApiKeys openWithoutDatabase(Vertx vertx, OperatorQueries operatorQueries) {
        return new ApiKeys(vertx, operatorQueries, Clock.SYSTEM);
    }

    static ApiKeys open(Vertx vertx, OperatorQueries operatorQueries, Clock clock) {
        ApiKeys keys = new ApiKeys(vertx, operatorQueries, clock);
        keys.load().orTimeout(FIRST_LOAD_MAX.toMillis(), TimeUnit.MILLISECONDS).exceptionally(e -> {
            log.warn("API keys not loaded at startup, retrying: {}", e.toString());
            return null;
        }).join();
        return keys;
    }

    public KeyVerdict verify(String token, long nowMs) {
        ApiKey.Text text = ApiKey.Text.parse(token);
        if (text == null) {
            return rejected();
        }
        long ageNs = clock.nowNs() - loadedNs;
        if (!isLoaded || ageNs > KEPT_MAX.toNanos()) {
            return new KeyVerdict.Unavailable(
                    "API keys cannot be verified because the database is unavailable; try again later");
        }
        ApiKey key = keys.get(text.id());
        if (key != null && key.isInForce(nowMs) && key.isOpenedBy(text)) {
            return new KeyVerdict.Accepted(key.use(nowMs));
        }
        return key == null && ageNs > FRESH_MAX.toNanos()
                ? new KeyVerdict.Unavailable(
                        "the API key cannot be verified because the database is unavailable; try again later")
                : rejected();
    }

    private static KeyVerdict rejected() {
        return new KeyVerdict.Rejected("the API key is unknown, revoked or expired");
    }

    /** Loads all changes, including those that were committed during a running load. */
    public synchronized CompletableFuture<Void> loadAgain() {
        return isLoading ? current.handle((_, _) -> null).thenCompose(_ -> load()) : load();
    }

    /** Rejects a key from now on. Other servers load that it was revoked. */
    public void revoke(String id) {
        ApiKey key = keys.get(id);
        if (key != null) {
            key.revoke();
        }
    }

    /**
     * Loads all keys again at the next load. Must be called if the database has another history, in which the same revision
     * may have other keys.
     */
    public synchronized void reloadAll() {
        revision = NONE;
    }

    private synchronized CompletableFuture<Void> load() {
        long nowNs = clock.nowNs();
        // A call without a response must not block all later ones.
        if (isLoading && nowNs - begunNs < FRESH_MAX.toNanos()) {
            return current;
        }
        isLoading = true;
        begunNs = nowNs;
        CompletableFuture<Void> done = new CompletableFuture<>();
        current = done;
        operatorQueries.call(new OperatorCall("load_keys", List.of(revision),
                Reply.of(
                        outcome -> complete(done, nowNs,
                                outcome instanceof OperatorOutcome.Document(var json) ? json : null, null),
                        failure -> complete(done, nowNs, null, failure.message()))));
        return done;
    }

    private synchronized void complete(CompletableFuture<Void> done, long sinceNs, @Nullable String json,
            @Nullable String error) {
        if (begunNs != sinceNs) {
            // A later load has begun: the result of this one may be older than the loaded keys.
            done.completeExceptionally(new IllegalStateException("the load was superseded by a later one"));
            return;
        }
        isLoading = false;
        try {
            if (json == null) {
                throw new IllegalStateException(error == null ? "the routine returned nothing" : error);
            }
            apply(JSON.readTree(json), sinceNs);
            if (isFailing) {
                log.info("loading of API keys resumed");
            }
            isFailing = false;
            done.complete(null);
        } catch (JsonProcessingException | RuntimeException e) {
            if (!isFailing) {
                log.warn("loading of API keys failed, loaded keys stay valid for {} minutes: {}", KEPT_MAX.toMinutes(),
                        e.getMessage());
            }
            isFailing = true;
            done.completeExceptionally(e);
        }
    }

    private void apply(JsonNode document, long sinceNs) {
        if (!document.path("keys").isNull()) {
            Map<String, ApiKey> loaded = new HashMap<>();
            for (JsonNode each : document.get("keys")) {
                ApiKey key = read(each);
                if (key != null) {
                    loaded.put(key.id(), key);
                }
            }
            Map<String, ApiKey> before = keys;
            // The object of a key must not change: waiting pops use it to detect a revocation.
            before.forEach((id, key) -> {
                if (loaded.containsKey(id)) {
                    loaded.put(id, key);
                } else {
                    key.revoke();
                }
            });
            keys = Map.copyOf(loaded);
            reported.keySet().retainAll(loaded.keySet());
            revision = document.get("revision").asLong();
        }
        loadedNs = sinceNs;
        isLoaded = true;
    }

    /** Returns null for a key that this release cannot parse: such a key is not accepted. */
    private static @Nullable ApiKey read(JsonNode each) {
        String id = each.get("id").asText();
        try {
            List<String> entries = new ArrayList<>();
            each.path("rights").forEach(entry -> entries.add(entry.asText()));
            Rights rights = each.path("rights").isArray() ? Rights.of(entries) : null;
            Role role = each.path("role").isTextual()
                    ? Role.valueOf(each.get("role").asText().toUpperCase(Locale.ROOT).replace('-', '_'))
                    : Role.NONE;
            long expiresAtMs = each.path("expiresAtMs").isNumber() ? each.get("expiresAtMs").asLong() : Long.MAX_VALUE;
            return new ApiKey(id, each.get("name").asText(), HexFormat.of().parseHex(each.get("hash").asText()), role,
                    rights, expiresAtMs);
        } catch (MalformedRights | IllegalArgumentException e) {
            log.warn("API key {} is malformed and rejected: {}", id, e.getMessage());
            return null;
        }
    }

    /** Writes the last use of each key that was used since the last report. */
    synchronized void reportUse() {
        List<ApiKey> used = keys.values().stream().filter(key -> key.usedAtMs() > reported.getOrDefault(key.id(), 0L))
                .toList();
        if (used.isEmpty()) {
            return;
        }
        Map<String, Long> times = new HashMap<>();
        used.forEach(key -> times.put(key.id(), key.usedAtMs()));
        String[] ids = times.keySet().toArray(String[]::new);
        OffsetDateTime[] at = new OffsetDateTime[ids.length];
        for (int i = 0; i < ids.length; i++) {
            at[i] = Instant.ofEpochMilli(times.getOrDefault(ids[i], 0L)).atOffset(ZoneOffset.UTC);
        }
        operatorQueries.call(new OperatorCall("record_key_use", List.of(ids, at), Reply.of(_ -> recorded(times),
                failure -> log.debug("last use of API keys not recorded: {}", failure.message()))));
    }

    private synchronized void recorded(Map<String, Long> times) {
        times.forEach((id, at) -> {
            if (keys.containsKey(id)) {
                reported.put(id, at);
            }
        });
    }

    @Override
    public void close() {
        vertx.cancelTimer(loadTimer);
        vertx.cancelTimer(reportTimer);
        reportUse();
    }
}
