package io.queenmq.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayDeque;

/**
 * Lets one large body at a time into memory, from its first megabyte until its request is answered; the others wait in
 * their sockets. So memory is bounded by the largest body allowed, not by how many clients send one. Who takes too long
 * to send while others wait is turned away. Owned by one event loop.
 */
final class LargeBodies {
    static final int LARGE_BYTES = 1024 * 1024;

    private final Vertx vertx;
    private final long patienceMs;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private Entry holder;
    private boolean isHolderRead;
    private long timer;

    LargeBodies(Vertx vertx, long patienceMs) {
        this.vertx = vertx;
        this.patienceMs = patienceMs;
    }

    /** The request has turned out to be large: it goes on now, or when it is its turn. */
    void enter(HttpServerRequest request, Runnable turnAway) {
        Entry entry = new Entry(request, turnAway);
        if (holder == null) {
            hold(entry);
        } else {
            request.pause();
            waiting.add(entry);
        }
    }

    /** The body of the request is complete: from here on it is up to the server how long it takes. */
    void arrived(HttpServerRequest request) {
        if (holder != null && holder.isOf(request)) {
            isHolderRead = true;
        }
    }

    /** The request is answered, or its client has gone. */
    void leave(HttpServerRequest request) {
        if (holder != null && holder.isOf(request)) {
            holder = null;
            vertx.cancelTimer(timer);
            Entry next = waiting.poll();
            if (next != null) {
                hold(next);
                next.request.resume();
            }
        } else if (!waiting.isEmpty()) {
            waiting.removeIf(entry -> entry.isOf(request));
        }
    }

    private void hold(Entry entry) {
        holder = entry;
        isHolderRead = false;
        timer = vertx.setTimer(patienceMs, _ -> lookAt(entry));
    }

    private void lookAt(Entry entry) {
        if (holder != entry || isHolderRead) {
            return;
        }
        if (waiting.isEmpty()) {
            timer = vertx.setTimer(patienceMs, _ -> lookAt(entry));
        } else {
            entry.turnAway.run();
        }
    }

    private record Entry(HttpServerRequest request, Runnable turnAway) {
        /** The router wraps requests, so one request has two faces; a connection carries one request at a time. */
        boolean isOf(HttpServerRequest other) {
            return request.connection() == other.connection();
        }
    }
}
