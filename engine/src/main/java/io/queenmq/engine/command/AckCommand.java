package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;

/** A validated ack request. Replies with one outcome per item, in order. */
public record AckCommand(List<AckItem> items, Reply<List<AckOutcome>> reply) implements Command {}
