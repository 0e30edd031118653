package io.queenmq.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A reverse proxy that loses requests or responses. */
final class FaultProxy implements AutoCloseable {
    enum Fate {
        FORWARD,
        /** The server does not receive the request. */
        LOSE_REQUEST,
        /** The server executes the request, and the client receives no response. */
        LOSE_RESPONSE
    }

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String target;
    private final Function<String, Fate> fates;

    /** @param fates called with the path of each request, also concurrently */
    FaultProxy(String target, Function<String, Fate> fates) {
        this.target = target;
        this.fates = fates;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Fate fate = fates.apply(exchange.getRequestURI().getPath());
            if (fate == Fate.LOSE_REQUEST) {
                return;
            }
            HttpResponse<byte[]> response = client.send(
                    HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                            .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body)).build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            if (fate == Fate.LOSE_RESPONSE) {
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(response.statusCode(),
                    response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        client.close();
    }
}
