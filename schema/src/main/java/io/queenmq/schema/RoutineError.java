package io.queenmq.schema;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The errors that routines raise with their own SQLSTATE. A test compares them with the SQL files. */
public enum RoutineError {
    /** The head of a partition has moved, or it is locked or missing: catch up, then repeat the transaction. */
    PARTITION_MOVED("QN001"),
    /** A lease that the call depends on is not live. */
    LEASE_GONE("QN002"),
    /** A message was encrypted, or not, by an outdated catalog: read the catalog, then repeat the call. */
    OUTDATED("QN003"),
    /** The messages of a transaction exceed the maxSize of a queue. */
    FULL("QN004"),
    /** A message cannot be pushed inside a transaction of the user: push it through a server. */
    SERVER_NEEDED("QN005"),
    /** Another session has locked a cursor of a transaction: repeat the transaction after a moment. */
    BUSY("QN006"),
    /** The shard of a session is not on this node of a Citus cluster any more. */
    SHARD_MOVED("QN007"),
    /** The request of an operator is invalid. The message contains the reason. */
    IMPOSSIBLE("QN400"),
    /** The caller lacks a right that the call requires. The message contains the right. */
    FORBIDDEN("QN403");

    private static final Map<String, RoutineError> BY_STATE = Arrays.stream(values())
            .collect(Collectors.toMap(RoutineError::state, Function.identity()));

    private final String state;

    RoutineError(String state) {
        this.state = state;
    }

    /** Returns the error with this SQLSTATE; empty if PostgreSQL itself raises it. */
    public static Optional<RoutineError> of(String state) {
        return Optional.ofNullable(BY_STATE.get(state));
    }

    /** Returns the SQLSTATE. */
    public String state() {
        return state;
    }
}
