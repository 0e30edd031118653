package io.queenmq.server.operator;

import io.queenmq.server.reply.Reply;
import java.util.List;

/**
 * One call of a routine for operators.
 *
 * @param routine its name, without the schema; never something a client sent
 * @param arguments strings, numbers, booleans, UUIDs, moments, arrays of these, or null
 */
public record OperatorCall(String routine, List<Object> arguments, Reply<OperatorOutcome> reply) {}
