package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.history.History;
import io.queenmq.verify.http.HttpConnection;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one process, one at a time, and appends each to the history. It changes the server after a request
 * without a usable response. Owned by one thread.
 */
public final class Session implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String process;
    private final Targets targets;
    private final History history;
    private @Nullable HttpConnection connection;
    private int server;
    private int changes;

    /** @param server the index of the first server to use */
    public Session(String process, Targets targets, History history, int server) {
        this.process = process;
        this.targets = targets;
        this.history = history;
        this.server = server % targets.servers().size();
    }

    /**
     * The result of a request.
     *
     * @param status 0 if the request was not sent, -1 if there was no response
     */
    public record Result(long start, int status, JsonNode body) {
        /** Returns {@code ok}, {@code rejected} or {@code unknown}. */
        String outcome() {
            if (status >= 200 && status < 300) {
                return "ok";
            }
            return status == 0 || status >= 400 && status < 500 ? "rejected" : "unknown";
        }

        boolean isOk() {
            return status >= 200 && status < 300;
        }

        boolean isUnknown() {
            return outcome().equals("unknown");
        }
    }

    String process() {
        return process;
    }

    /** Returns how often this process changed its server. */
    int changes() {
        return changes;
    }

    int server() {
        return server;
    }

    History history() {
        return history;
    }

    /** Sends a request once. The caller appends it to the history with {@link #append}. */
    public Result call(String method, String target, @Nullable JsonNode body, Duration within) {
        long start = history.nowMicros();
        try {
            HttpConnection current = connection;
            if (current == null) {
                current = HttpConnection.open(targets.servers().get(server), targets.token());
                connection = current;
            }
            return send(current, start, method, target, body, within);
        } catch (IOException _) {
            changeServer();
            return new Result(start, 0, MissingNode.getInstance());
        }
    }

    private Result send(HttpConnection current, long start, String method, String target, @Nullable JsonNode body,
            Duration within) {
        try {
            HttpConnection.Response response = current.call(method, target, body == null ? null : body.toString(),
                    within);
            JsonNode json = response.body().length == 0 ? MissingNode.getInstance() : JSON.readTree(response.body());
            if (response.status() >= 500) {
                changeServer();
            }
            return new Result(start, response.status(), json);
        } catch (IOException _) {
            changeServer();
            return new Result(start, -1, MissingNode.getInstance());
        }
    }

    private void changeServer() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
        server = (server + 1) % targets.servers().size();
        changes++;
    }

    /** Appends a request to the history, with its outcome, its status and the server that it was sent to. */
    void append(String op, Result result, ObjectNode fields) {
        ObjectNode line = object().put("server", server).put("outcome", result.outcome()).put("status",
                result.status());
        line.setAll(fields);
        if (!result.isOk() && result.body().hasNonNull("error")) {
            line.put("error", result.body().path("error").asText());
        }
        history.append(process, op, result.start(), line);
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
