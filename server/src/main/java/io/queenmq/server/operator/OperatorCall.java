package io.queenmq.server.operator;

import io.queenmq.engine.reply.Reply;
import java.util.List;

/**
 * One call of a routine for operators.
 *
 * @param routine its name, without the schema; never something a client sent
 * @param shard the schema of the one shard it is about; null when it reads all shards as one
 * @param client the address of the client that asked, for the audit log; null when it is not recorded
 * @param arguments strings, numbers, booleans, UUIDs, moments, arrays of these, or null
 */
public record OperatorCall(String routine, String shard, String client, List<Object> arguments,
        Reply<OperatorOutcome> reply) {
    /** Of a routine that reads all shards as one, or goes through them itself. */
    public OperatorCall(String routine, List<Object> arguments, Reply<OperatorOutcome> reply) {
        this(routine, null, null, arguments, reply);
    }

    /** Of a routine that records an action of this client in the audit log. */
    public OperatorCall from(String client) {
        return new OperatorCall(routine, shard, client, arguments, reply);
    }
}
