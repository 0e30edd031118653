package io.queenmq.server.auth;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes keys over HTTP and counts the requests. */
public final class KeyServer implements AutoCloseable {
    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();
    public volatile List<String> keys = List.of();
    public volatile int status = 200;
    /** Requests are answered only after it is opened. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    public KeyServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/keys", exchange -> {
            requests.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            byte[] body = ("{\"keys\":[" + String.join(",", keys) + "]}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
    }

    public int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        gate.countDown();
        server.stop(0);
    }
}
