package io.queenmq.server.http.operator;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.MalformedRights;
import io.queenmq.server.auth.Rejection;
import io.queenmq.server.auth.Rights;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.QueryString;
import io.queenmq.server.keys.ApiKeys;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The routes of API keys: lists them, creates one, revokes one. */
public final class KeyRoutes {
    public static final String PATH = "/api/v1/keys";
    public static final String KEY_PATH = PATH + "/:name";

    private static final int NAME_SEGMENT = 3;
    private static final int RIGHTS_MAX = 100;
    /** Restricted, because names are part of paths, log lines and audit records. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}");
    private static final List<String> ROLES = List.of("admin", "read-write", "read-only");

    private final OperatorQueries operatorQueries;
    private final @Nullable ApiKeys keys;
    private final SecureRandom random = new SecureRandom();

    /** @param keys null if this server does not accept API keys; keys can be created nevertheless */
    public KeyRoutes(OperatorQueries operatorQueries, @Nullable ApiKeys keys) {
        this.operatorQueries = operatorQueries;
        this.keys = keys;
    }

    public void list(Exchange exchange) {
        QueryString query = exchange.query();
        Object limit = Parameter.whole(1_000, 1, 10_000).from(query.textOrNull("limit"), "limit");
        Object offset = Parameter.whole(0, 0, 100_000_000).from(query.textOrNull("offset"), "offset");
        operatorQueries.call(new OperatorCall("list_keys", List.of(limit, offset), exchange.reply(outcome -> {
            if (outcome instanceof OperatorOutcome.Document(var json)) {
                exchange.sendDocument(200, json);
            } else {
                exchange.error(500, "the keys cannot be listed");
            }
        })));
    }

    public void create(Exchange exchange, byte[] body) {
        NewKey newKey = NewKey.of(OperatorBody.parse(body));
        String problem = excess(exchange.identity(), newKey);
        if (problem != null) {
            exchange.forbid(Rejection.FORBIDDEN.because(problem));
            return;
        }
        ApiKey.Text key = ApiKey.Text.create(random);
        operatorQueries.call(new OperatorCall("create_key",
                Arrays.asList(exchange.actor(), key.id(), newKey.name, Buffer.buffer(key.hash()), newKey.role,
                        newKey.rights == null ? null : newKey.rights.entries().toArray(String[]::new),
                        newKey.expiresAt),
                exchange.reply(outcome -> {
                    switch (outcome) {
                        case OperatorOutcome.Document(var json) -> created(exchange, key, json);
                        case OperatorOutcome.Impossible(var message) -> exchange.error(400, message);
                        case OperatorOutcome.Missing _, OperatorOutcome.InProgress _ ->
                            exchange.error(500, "the key was not created");
                    }
                })).from(exchange.clientAddress()));
    }

    /** Answers as soon as this server accepts the key. Only this response contains the secret. */
    private void created(Exchange exchange, ApiKey.Text key, String json) {
        String document = "{\"key\":\"" + key.whole() + "\"," + json.substring(1);
        if (keys == null) {
            send(exchange, document);
            return;
        }
        var loaded = exchange.<@Nullable Void>reply(_ -> send(exchange, document), _ -> send(exchange, document));
        keys.loadAgain().whenComplete((_, _) -> loaded.succeed(null));
    }

    private static void send(Exchange exchange, String document) {
        exchange.request().response().putHeader("cache-control", "no-store");
        exchange.sendDocument(201, document);
    }

    public void revoke(Exchange exchange) {
        String name = Names.requireName(exchange.path().decoded(NAME_SEGMENT), "name");
        operatorQueries
                .call(new OperatorCall("revoke_key", Arrays.asList(exchange.actor(), name), exchange.reply(outcome -> {
                    if (outcome instanceof OperatorOutcome.Document(var json)) {
                        Object id = OperatorBody.parse(json.getBytes(StandardCharsets.UTF_8)).get("id");
                        if (keys != null && id != null) {
                            keys.revoke((String) id);
                        }
                        exchange.sendDocument(200, json);
                    } else {
                        exchange.error(404, "no key with the name \"" + name + "\" is in force");
                    }
                })).from(exchange.clientAddress()));
    }

    /** Returns an error if the new key would have more rights than its creator; otherwise null. */
    private static @Nullable String excess(@Nullable Identity creator, NewKey newKey) {
        if (creator == null || creator.rights() == null) {
            return null;
        }
        return newKey.rights != null && creator.rights().cover(newKey.rights)
                ? null
                : "a key cannot have more rights than its creator (" + creator.rights() + ")";
    }

    /** @param rights null if only the role decides */
    private record NewKey(String name, @Nullable String role, @Nullable Rights rights,
            @Nullable OffsetDateTime expiresAt) {
        static NewKey of(Map<String, Object> fields) {
            String name = (String) Parameter.requiredName().from(fields.get("name"), "name");
            if (!NAME.matcher(name).matches()) {
                throw new BadRequest(
                        "name must consist of 1 to 100 letters, digits and . _ @ -, and begin with a letter or digit");
            }
            String role = (String) Parameter.text().from(fields.get("role"), "role");
            if (role != null && !ROLES.contains(role)) {
                throw new BadRequest("role must be admin, read-write or read-only");
            }
            Rights rights = rights(fields.get("rights"));
            if (role == null && rights == null) {
                throw new BadRequest("rights and role are missing; send rights, such as [\"push:orders\"], or a role");
            }
            OffsetDateTime expiresAt = (OffsetDateTime) Parameter.timestamp().from(fields.get("expiresAt"),
                    "expiresAt");
            if (expiresAt != null && expiresAt.toInstant().toEpochMilli() <= Clock.SYSTEM.epochMs()) {
                throw new BadRequest("expiresAt must be in the future");
            }
            return new NewKey(name, role, rights, expiresAt);
        }

        private static @Nullable Rights rights(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            try {
                Rights rights = Rights.ofClaim(value);
                if (rights.entries().size() > RIGHTS_MAX
                        || rights.entries().stream().anyMatch(e -> Names.unstorable(e) != null)) {
                    throw new BadRequest(
                            "rights must have at most " + RIGHTS_MAX + " entries of text that can be stored");
                }
                return rights;
            } catch (MalformedRights e) {
                throw new BadRequest("rights are malformed: " + e.getMessage());
            }
        }
    }
}
