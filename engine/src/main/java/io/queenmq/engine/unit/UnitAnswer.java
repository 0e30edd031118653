package io.queenmq.engine.unit;

import io.queenmq.engine.connection.SqlFailure;
import java.util.Set;
import java.util.UUID;

/**
 * The answer for one unit of work.
 *
 * @param <R> the result of a call that the database has executed
 */
public sealed interface UnitAnswer<R> {
    /** The database has executed the call. */
    record Executed<R>(UnitDrafts drafts, R result) implements UnitAnswer<R> {}

    /** A message or a state could not be encrypted, so no call was made. */
    record NotEncrypted<R>(String error) implements UnitAnswer<R> {}

    /** The unit must be prepared again, without its partitions meanwhile. This call or an earlier one may have taken effect. */
    record Unknown<R>(String reason) implements UnitAnswer<R> {}

    /** The call took no effect. */
    record NotApplied<R>(SqlFailure why, String error, Set<UUID> partitions) implements UnitAnswer<R> {}

    static <R> UnitAnswer<R> notApplied(Throwable cause) {
        return new NotApplied<>(SqlFailure.of(cause), SqlFailure.messageOf(cause), SqlFailure.partitionsOf(cause));
    }
}
