package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;

/** Loads the catalog at once, here and on peers, instead of within a second: an operator changed something. */
public record RefreshCatalogCommand(Reply<Void> reply) implements Command {}
