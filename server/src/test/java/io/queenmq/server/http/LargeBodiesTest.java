package io.queenmq.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LargeBodiesTest {
    private static final long NEVER_MS = 600_000;

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, HttpConnection> connections = new HashMap<>();
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        vertx.close();
    }

    @Test
    void oneIsReadAtATimeInTheOrderTheyCame() {
        LargeBodies bodies = new LargeBodies(vertx, NEVER_MS);
        HttpServerRequest a = request("a");
        HttpServerRequest b = request("b");
        HttpServerRequest c = request("c");
        bodies.enter(a, () -> {});
        bodies.enter(b, () -> {});
        bodies.enter(c, () -> {});

        bodies.leave(a);
        bodies.leave(b);

        assertThat(seen).containsExactly("b.pause", "c.pause", "b.resume", "c.resume");
    }

    @Test
    void oneThatGoesAwayWhileItWaitsIsForgotten() {
        LargeBodies bodies = new LargeBodies(vertx, NEVER_MS);
        HttpServerRequest a = request("a");
        HttpServerRequest b = request("b");
        bodies.enter(a, () -> {});
        bodies.enter(b, () -> {});

        bodies.leave(b);
        bodies.leave(a);

        assertThat(seen).containsExactly("b.pause");
    }

    @Test
    void oneThatDoesNotArriveIsTurnedAwayWhenOthersWait() throws InterruptedException {
        LargeBodies bodies = new LargeBodies(vertx, 20);
        CountDownLatch isTurnedAway = new CountDownLatch(1);
        bodies.enter(request("slow"), isTurnedAway::countDown);
        bodies.enter(request("other"), () -> {});

        assertThat(isTurnedAway.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private HttpServerRequest request(String name) {
        return (HttpServerRequest) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{HttpServerRequest.class}, (proxy, method, _) -> {
                    if (method.getName().equals("connection")) {
                        return connections.computeIfAbsent(name, _ -> connection());
                    }
                    seen.add(name + "." + method.getName());
                    return proxy;
                });
    }

    private HttpConnection connection() {
        return (HttpConnection) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{HttpConnection.class}, (_, _, _) -> null);
    }
}
