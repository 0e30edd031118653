package io.queenmq.server.operator;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a routine for operators.
 *
 * @param routine the name of the routine without the schema; must never be text from a client
 * @param shard the schema of the shard that the call concerns; null if it reads all shards as one
 * @param client the address of the client for the audit log; null if it is not recorded
 * @param arguments strings, numbers, booleans, UUIDs, timestamps, arrays of these, or null
 */
public record OperatorCall(String routine, @Nullable String shard, @Nullable String client,
        List<? extends @Nullable Object> arguments, Reply<OperatorOutcome> reply) {
    /** Creates a call of a routine that reads all shards as one, or visits each shard itself. */
    public OperatorCall(String routine, List<? extends @Nullable Object> arguments, Reply<OperatorOutcome> reply) {
        this(routine, null, null, arguments, reply);
    }

    /** Returns this call for a routine that records an action of the client in the audit log. */
    public OperatorCall from(@Nullable String client) {
        return new OperatorCall(routine, shard, client, arguments, reply);
    }
}
