package io.queenmq.smallrye;

import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment.Strategy;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.eclipse.microprofile.reactive.messaging.Outgoing;

/** An application with one channel for each test. */
@ApplicationScoped
public class Shop {
    private final List<String> billed = new CopyOnWriteArrayList<>();
    private final List<String> attempts = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<Message<String>> outstanding = new LinkedBlockingQueue<>();

    // snippet: smallrye-outgoing
    @Inject
    @Channel("events")
    Emitter<String> events;

    void publish(String customer, String event) {
        events.send(Message.of(event, Metadata.of(OutgoingQueenMetadata.ofPartition(customer))));
    }
    // end

    // snippet: smallrye-incoming
    @Incoming("orders")
    @Blocking(ordered = false)
    void bill(String order) {
        billed.add(order);
    }
    // end

    @Incoming("failing")
    CompletionStage<Void> fail(Message<String> message) {
        IncomingQueenMetadata metadata = message.getMetadata(IncomingQueenMetadata.class).orElseThrow();
        attempts.add(message.getPayload() + " " + metadata.attempt());
        boolean isRejected = message.getPayload().equals("first") && metadata.attempt() == 1;
        return isRejected ? message.nack(new IllegalStateException("not now")) : message.ack();
    }

    @Incoming("refused")
    void refuse(String order) {
        refused.add(order);
        if (order.equals("bad")) {
            throw new IllegalArgumentException("bad order");
        }
    }

    @Incoming("manual")
    @Acknowledgment(Strategy.MANUAL)
    CompletionStage<Void> keep(Message<String> message) {
        outstanding.add(message);
        return CompletableFuture.completedFuture(null);
    }

    @Incoming("carts")
    @Outgoing("invoices")
    String invoice(String cart) {
        return "invoice of " + cart;
    }

    // CDI's proxies have methods, but not the fields.

    List<String> billed() {
        return billed;
    }

    List<String> attempts() {
        return attempts;
    }

    List<String> refused() {
        return refused;
    }

    LinkedBlockingQueue<Message<String>> outstanding() {
        return outstanding;
    }

    Emitter<String> events() {
        return events;
    }
}
