package io.queenmq.client.wire;

import io.queenmq.client.error.CodecException;
import io.queenmq.client.error.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * A response in which the server accepted or rejected the request.
 *
 * @param from the server, which is the best one for further requests about the same object
 * @param isRepeated true if an earlier attempt may have been executed, too
 */
public record Reply(int status, byte[] body, Endpoint from, boolean isRepeated) {
    private static final int NO_CONTENT = 204;

    /** Returns the body of a successful response. */
    public JsonNode json() {
        if (status / 100 != 2) {
            throw new RefusedException(status, error());
        }
        return isEmpty() ? JsonNode.MISSING : JsonNode.parse(body);
    }

    public boolean isEmpty() {
        return status == NO_CONTENT || body.length == 0;
    }

    /** Returns the server's reason for a rejection. */
    public String error() {
        String error = field("error");
        return error == null ? "the server responded with status " + status : error;
    }

    /** Returns true if a failed server reports that it changed nothing. */
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
