package io.queenmq.server;

import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.http.HttpApi;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A running server. All methods block. */
public final class Server implements AutoCloseable {
    private final HttpApi http;
    private final String scheme;
    private final String store;
    private final CompletableFuture<String> storeLost;
    private final Closings opened;

    /**
     * @param store a text that names the place of the messages
     * @param storeLost completes with the reason if the embedded PostgreSQL cannot be restarted
     * @param opened the closings of all parts
     */
    Server(HttpApi http, String scheme, String store, CompletableFuture<String> storeLost, Closings opened) {
        this.http = http;
        this.scheme = scheme;
        this.store = store;
        this.storeLost = storeLost;
        this.opened = opened;
    }

    /** Returns when requests are accepted. If the start fails, all parts that were opened are closed. */
    public static Server start(ServerConfig config) {
        return ServerStart.start(config);
    }

    public int port() {
        return http.port();
    }

    /** Returns the address of this server for clients on the same machine. */
    public String url() {
        return scheme + "://localhost:" + port();
    }

    /** Returns a text that names the place of the messages. */
    public String store() {
        return store;
    }

    /**
     * Calls the task with the reason if the embedded PostgreSQL has ended and cannot be restarted. Then this server must be
     * closed.
     */
    public void onStoreLost(Consumer<String> task) {
        storeLost.thenAccept(task);
    }

    /** Completes the requests under way and closes all parts, PostgreSQL last. Idempotent. */
    @Override
    public void close() {
        opened.close();
    }
}
