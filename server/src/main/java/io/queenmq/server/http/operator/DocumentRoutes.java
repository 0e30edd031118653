package io.queenmq.server.http.operator;

import io.queenmq.dashboard.Asset;
import io.queenmq.dashboard.Documents;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Router;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/** Serves the documents of this release at {@code /docs}. They are public and contain no data. Owned by one event loop. */
public final class DocumentRoutes {
    private static final String PATH = "/docs";

    private final Vertx vertx;
    private @Nullable Documents documents;

    public DocumentRoutes(Vertx vertx) {
        this.vertx = vertx;
    }

    public void addTo(Router router) {
        router.add(HttpMethod.GET, PATH, this::handle);
        router.add(HttpMethod.GET, PATH + "/*", this::handle);
    }

    private void handle(Exchange exchange) {
        if (documents != null) {
            send(exchange, documents);
            return;
        }
        // Reading and rendering the files blocks.
        vertx.executeBlocking(Documents::get).onComplete(loaded -> {
            documents = loaded;
            exchange.attempt(() -> send(exchange, loaded));
        }, exchange::internalError);
    }

    private static void send(Exchange exchange, Documents documents) {
        String path = exchange.rawPath();
        String query = exchange.query().textOrNull("q");
        if (path.equals(PATH) && query != null) {
            exchange.sendPage(200, documents.results(query));
            return;
        }
        String page = documents.page(path);
        if (page != null) {
            exchange.sendPage(200, page);
            return;
        }
        Asset file = documents.file(path);
        if (file != null) {
            exchange.sendFile(file);
        } else {
            exchange.error(404, "there is no document at " + path + "; see " + PATH);
        }
    }
}
