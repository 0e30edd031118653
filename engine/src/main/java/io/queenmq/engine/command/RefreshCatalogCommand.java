package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/** Loads the catalog at once, here and on peers, instead of within a second: an operator changed something. */
public record RefreshCatalogCommand(Reply<@Nullable Void> reply) implements Command {}
