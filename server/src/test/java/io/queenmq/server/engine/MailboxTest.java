package io.queenmq.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    @DisplayName("a task that fails fails its reply, and the next tasks run")
    void aFailedTaskDoesNotPreventTheNextOnes() throws Exception {
        Mailbox mailbox = new Mailbox(vertx.getOrCreateContext());
        CompletableFuture<Failure> failure = new CompletableFuture<>();
        CompletableFuture<Void> next = new CompletableFuture<>();

        mailbox.post(() -> {
            throw new AssertionError("a defect");
        }, Reply.of(_ -> {}, failure::complete));
        mailbox.post(() -> next.complete(null));

        assertThat(failure.get(1, TimeUnit.MINUTES)).isInstanceOf(Failure.Unavailable.class);
        next.get(1, TimeUnit.MINUTES);
    }
}
