package io.queenmq.server.wave;

import io.queenmq.server.postgres.Link;
import io.queenmq.server.reply.Failure;
import io.vertx.core.Future;
import java.util.List;

/** How one operation moves many commands with one database call. Called on the engine loop. */
public interface Carrier<C> {
    /** Makes the call and, when it succeeds, answers every command. When it fails, no command was answered. */
    Future<Void> carry(Link link, List<C> wave);

    /** Answers one command that cannot be carried. */
    void refuse(C command, Failure failure);
}
