package io.queenmq.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A server with scripted responses that records its requests. */
final class StubServer implements AutoCloseable {
    private final HttpServer server;
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile Function<Asked, Answer> answers = request -> new Answer(200, "{}");

    StubServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return TestServer.url(server.getAddress().getPort());
    }

    StubServer answering(Function<Asked, Answer> answers) {
        this.answers = answers;
        return this;
    }

    StubServer answering(int status, String body) {
        return answering(request -> new Answer(status, body));
    }

    List<Asked> asked() {
        return asked;
    }

    Asked last() {
        return asked.getLast();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Asked request = new Asked(exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                    exchange.getRequestHeaders().getFirst("Authorization"));
            asked.add(request);
            Answer answer = answers.apply(request);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** @param authorization null for none */
    record Asked(String line, String body, String authorization) {}

    record Answer(int status, String body) {}
}
