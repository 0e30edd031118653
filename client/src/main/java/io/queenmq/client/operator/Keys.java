package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Wire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** API keys. Needs the role admin. */
public final class Keys {
    private static final String PATH = "/api/v1/keys";
    private static final int PAGE = 1_000;

    private final Wire wire;

    Keys(Wire wire) {
        this.wire = wire;
    }

    /** Returns the keys, those in force first. None of them contains its secret. */
    public List<ApiKey> list() {
        return page(0, PAGE).items();
    }

    /** Returns a part of the list. */
    public Page<ApiKey> page(int offset, int limit) {
        JsonNode response = wire.send(Call.get(PATH + new Query().add("limit", limit).add("offset", offset))).json();
        return new Page<>(response.get("keys").list().stream().map(Keys::read).toList(),
                response.get("total").number());
    }

    /**
     * Creates a key. The result contains the secret, which cannot be read again.
     *
     * @param rights entries such as {@code push:orders}; null when the role alone decides
     * @param role admin, read-write or read-only; null when the rights alone decide
     * @param expiresAt null for a key that does not expire
     */
    public CreatedKey create(String name, @Nullable List<String> rights, @Nullable String role,
            @Nullable Instant expiresAt) {
        JsonWriter body = new JsonWriter().beginObject().field("name", name);
        if (rights != null) {
            body.name("rights").beginArray();
            rights.forEach(body::string);
            body.endArray();
        }
        if (role != null) {
            body.field("role", role);
        }
        if (expiresAt != null) {
            body.field("expiresAt", expiresAt.toString());
        }
        JsonNode response = wire.send(Call.post(PATH, body.endObject().bytes()).repeat(Repeat.NEVER)).json();
        return new CreatedKey(response.get("key").string(), read(response));
    }

    /**
     * Revokes the key in force of that name: servers reject it within a second.
     *
     * @throws io.queenmq.client.error.QueenException when there is none
     */
    public ApiKey revoke(String name) {
        return read(wire.send(Call.delete(PATH + "/" + Names.encode(name)).repeat(Repeat.NEVER)).json());
    }

    private static ApiKey read(JsonNode key) {
        return new ApiKey(key.get("id").string(), key.get("name").string(), key.get("role").text(),
                key.get("rights").isNull() ? null : key.get("rights").list().stream().map(JsonNode::string).toList(),
                key.get("createdBy").string(), key.get("createdAt").moment(), key.get("lastUsedAt").instant(),
                key.get("expiresAt").instant(), key.get("revokedBy").text(), key.get("revokedAt").instant());
    }

    /**
     * An API key without its secret.
     *
     * @param id the part of the key that is no secret
     * @param role null when the rights alone decide
     * @param rights null when the role alone decides
     * @param lastUsedAt when a server last accepted it, to the minute; null when none did
     * @param expiresAt null for a key that does not expire
     * @param revokedAt null for a key that was not revoked
     */
    public record ApiKey(String id, String name, @Nullable String role, @Nullable List<String> rights, String createdBy,
            Instant createdAt, @Nullable Instant lastUsedAt, @Nullable Instant expiresAt, @Nullable String revokedBy,
            @Nullable Instant revokedAt) {}

    /**
     * A key that was just created. Its text form does not contain the secret.
     *
     * @param secret the whole key, to be used as a token
     */
    public record CreatedKey(String secret, ApiKey key) {
        @Override
        public String toString() {
            return "CreatedKey[" + key + "]";
        }
    }
}
