package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;

/** A validated push request. Replies with one outcome per item, in order. */
public record PushCommand(List<PushItem> items, Reply<List<PushOutcome>> reply) implements Command {}
