package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Wire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Revokes tokens before they expire. All servers reject revoked tokens within about a second. */
public final class Tokens {
    private static final String PATH = "/api/v1/system/revocations";

    private final Wire wire;

    Tokens(Wire wire) {
        this.wire = wire;
    }

    /**
     * Lists revocations, latest first.
     *
     * @param before only revocations before the one with this id; null for the latest
     */
    public List<TokenRevocation> revocations(@Nullable Long before, int limit) {
        return wire.send(Call.get(PATH + new Query().add("before", before).add("limit", limit))).json()
                .get("revocations").list().stream().map(Tokens::revocation).toList();
    }

    /**
     * Revokes one token.
     *
     * @param tokenId the {@code jti} of the token
     * @param expiresAt when the token expires, so that the revocation can be removed; null to keep it
     */
    public TokenRevocation revoke(String tokenId, @Nullable Instant expiresAt) {
        return send(new JsonWriter().beginObject().field("tokenId", tokenId).field("expiresAt", text(expiresAt)));
    }

    /**
     * Revokes all tokens that were issued before a time. A token without {@code iat} counts as issued before every time.
     *
     * @param time null for now, by the clock of the database; then there must be a subject
     * @param subject only tokens of this {@code sub}; null for every subject
     */
    public TokenRevocation revokeIssuedBefore(@Nullable Instant time, @Nullable String subject,
            @Nullable Instant expiresAt) {
        return send(new JsonWriter().beginObject().field("issuedBefore", text(time)).field("subject", subject)
                .field("expiresAt", text(expiresAt)));
    }

    /**
     * Removes a revocation, so that its tokens are accepted again.
     *
     * @throws io.queenmq.client.error.RefusedException if there is no such revocation
     */
    public TokenRevocation restore(long id) {
        return revocation(wire.send(Call.delete(PATH + "/" + id)).json());
    }

    private TokenRevocation send(JsonWriter body) {
        return revocation(wire.send(Call.post(PATH, body.endObject().bytes())).json());
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private static TokenRevocation revocation(JsonNode node) {
        return new TokenRevocation(node.get("id").number(), node.get("tokenId").text(), node.get("subject").text(),
                node.get("issuedBefore").instant(), node.get("expiresAt").instant(), node.get("createdAt").moment(),
                node.get("createdBy").string());
    }
}
