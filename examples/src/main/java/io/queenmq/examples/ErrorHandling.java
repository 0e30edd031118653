package io.queenmq.examples;

import io.queenmq.client.Message;
import io.queenmq.client.Queen;
import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.UnavailableException;
import java.time.Duration;

/** The exceptions of a push. */
public final class ErrorHandling {
    private ErrorHandling() {}

    public static void main(String[] args) {
        // snippet: builder
        var builder = Queen.builder().url(Servers.url(args)).token(() -> System.getenv("QUEEN_TOKEN"))
                .requestTimeout(Duration.ofSeconds(10)).retryFor(Duration.ofMinutes(1));
        // end
        try (var queen = builder.build()) {
            // snippet: errors
            try {
                queen.queue("orders", Order.class)
                        .push(Message.of(new Order(5, "customer-42", 50)).transactionId("order-5"));
            } catch (UnavailableException e) {
                System.err.println("nothing happened, try later: " + e.getMessage());
            } catch (OutcomeUnknownException e) {
                System.err.println("push it again under the same transactionId: " + e.getMessage());
            } catch (RefusedException e) {
                System.err.println("the server rejects it: " + e.getMessage());
            }
            // end
        }
    }
}
