package io.queenmq.client.wire;

import io.queenmq.client.error.CodecException;
import io.queenmq.client.error.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered: it decided about the request, one way or the other.
 *
 * @param from who answered, which is the best one to ask about the same thing again
 * @param isRepeated whether an earlier attempt may have arrived, too
 */
public record Reply(int status, byte[] body, Endpoint from, boolean isRepeated) {
    private static final int NO_CONTENT = 204;

    /** The body of a good answer. */
    public JsonNode json() {
        if (status / 100 != 2) {
            throw new RefusedException(status, error());
        }
        return isEmpty() ? JsonNode.MISSING : JsonNode.parse(body);
    }

    public boolean isEmpty() {
        return status == NO_CONTENT || body.length == 0;
    }

    /** Why the server refused, in its own words. */
    public String error() {
        String error = field("error");
        return error == null ? "the server answered with status " + status : error;
    }

    /** Whether a server that failed says that it changed nothing. */
    boolean isNothingDone() {
        return "none".equals(field("outcome"));
    }

    private @Nullable String field(String name) {
        try {
            return isEmpty() ? null : JsonNode.parse(body).get(name).text();
        } catch (CodecException e) {
            return null;
        }
    }
}
