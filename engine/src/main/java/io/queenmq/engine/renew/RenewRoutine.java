package io.queenmq.engine.renew;

import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.connection.Connection;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls the routine renew. */
final class RenewRoutine {
    private final String renew;

    RenewRoutine(String api) {
        this.renew = "select index, until_at, is_busy from " + api + ".renew($1, $2)";
    }

    /** The state of a lease after the call; untilAt is null when the lease is busy or gone. */
    record Answer(@Nullable OffsetDateTime untilAt, boolean isBusy) {
        private static final Answer GONE = new Answer(null, false);
    }

    /** Returns an answer for each command, in their order. */
    Future<List<Answer>> renew(Connection connection, List<RenewCommand> batch) {
        // The routine requires each lease once; the longest time that a command asks for decides.
        Map<UUID, Integer> wanted = new LinkedHashMap<>();
        for (RenewCommand command : batch) {
            wanted.merge(command.leaseId(), command.seconds(), Math::max);
        }
        UUID[] leaseIds = wanted.keySet().toArray(UUID[]::new);
        Integer[] seconds = wanted.values().toArray(Integer[]::new);
        return connection.call(renew, Tuple.tuple().addValue(leaseIds).addValue(seconds)).map(rows -> {
            Map<UUID, Answer> answers = new LinkedHashMap<>();
            for (Row row : rows) {
                answers.put(leaseIds[row.getInteger(0) - 1], new Answer(row.getOffsetDateTime(1), row.getBoolean(2)));
            }
            return batch.stream().map(command -> answers.getOrDefault(command.leaseId(), Answer.GONE)).toList();
        });
    }
}
