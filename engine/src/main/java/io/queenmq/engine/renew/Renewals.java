package io.queenmq.engine.renew;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.MissingReason;
import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.command.RenewOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.lease.LeasedRange;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.reply.Failure;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ObjIntConsumer;

/** The renew room: keeps leases longer, whichever server gave them. Owned by the engine loop. */
public final class Renewals {
    private final String renew;
    private final Leases leases;
    private final MissingReason missingReason;
    private final ObjIntConsumer<UUID> onRenewed;
    private final ShardBatches<RenewCommand, Answer> renewals;

    /** @param onRenewed told the lease id and the seconds */
    public Renewals(EngineContext context, Leases leases, MissingReason missingReason, ObjIntConsumer<UUID> onRenewed) {
        this.renew = "select index, until_at, is_busy from " + context.apiSchema() + ".renew($1, $2)";
        this.leases = leases;
        this.missingReason = missingReason;
        this.onRenewed = onRenewed;
        this.renewals = new ShardBatches<>(context, Operation.RENEW, Durability.RELAXED,
                command -> context.connections().shardOf(command.leaseId()), new RenewCarrier());
    }

    public void accept(RenewCommand command) {
        renewals.offer(command);
    }

    /** A lease that this server gave may have gone with its queue; nothing is known of others. */
    private RenewOutcome.Gone gone(UUID leaseId) {
        for (Map.Entry<UUID, LeasedRange> partition : leases.partitionsOf(leaseId).entrySet()) {
            String reason = missingReason.ofQueue(partition.getValue().queue(), partition.getValue().partition(),
                    partition.getKey());
            if (reason != null) {
                return new RenewOutcome.Gone(reason);
            }
        }
        return RenewOutcome.Gone.WITHOUT_A_TRACE;
    }

    /** What the database says of a lease; untilAt is null when it is busy or gone. */
    private record Answer(OffsetDateTime untilAt, boolean isBusy) {
        static final Answer GONE = new Answer(null, false);
    }

    private final class RenewCarrier implements Carrier<RenewCommand, Answer> {
        @Override
        public Future<List<Answer>> carry(Connection connection, List<RenewCommand> batch) {
            // The routine wants each lease once; who asks for the most decides.
            Map<UUID, Integer> wanted = new LinkedHashMap<>();
            for (RenewCommand command : batch) {
                wanted.merge(command.leaseId(), command.seconds(), Math::max);
            }
            UUID[] leaseIds = wanted.keySet().toArray(UUID[]::new);
            Integer[] seconds = wanted.values().toArray(Integer[]::new);
            return connection.call(renew, Tuple.tuple().addValue(leaseIds).addValue(seconds)).map(rows -> {
                Map<UUID, Answer> answers = new LinkedHashMap<>();
                for (Row row : rows) {
                    answers.put(leaseIds[row.getInteger(0) - 1],
                            new Answer(row.getOffsetDateTime(1), row.getBoolean(2)));
                }
                return batch.stream().map(command -> answers.getOrDefault(command.leaseId(), Answer.GONE)).toList();
            });
        }

        @Override
        public boolean isBusy(RenewCommand command, Answer answer) {
            return answer.isBusy;
        }

        @Override
        public void settle(RenewCommand command, Answer answer) {
            if (answer.untilAt == null) {
                command.reply().succeed(gone(command.leaseId()));
            } else {
                onRenewed.accept(command.leaseId(), command.seconds());
                command.reply().succeed(new RenewOutcome.Renewed(answer.untilAt));
            }
        }

        @Override
        public void refuse(RenewCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }
}
