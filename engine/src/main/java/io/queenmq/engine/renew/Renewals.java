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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ObjIntConsumer;

/** Handles renewals of leases, also of leases that other servers acquired. Owned by the engine loop. */
public final class Renewals {
    private final RenewRoutine routine;
    private final Leases leases;
    private final MissingReason missingReason;
    private final ObjIntConsumer<UUID> onRenewed;
    private final ShardBatches<RenewCommand, RenewRoutine.Answer> renewals;

    /** @param onRenewed called with the lease id and the seconds */
    public Renewals(EngineContext context, Leases leases, MissingReason missingReason, ObjIntConsumer<UUID> onRenewed) {
        this.routine = new RenewRoutine(context.apiSchema());
        this.leases = leases;
        this.missingReason = missingReason;
        this.onRenewed = onRenewed;
        this.renewals = new ShardBatches<>(context, Operation.RENEW, Durability.RELAXED,
                command -> context.connections().shardOf(command.leaseId()), new RenewCarrier());
    }

    public void accept(RenewCommand command) {
        renewals.offer(command);
    }

    /**
     * Returns the reason for a missing lease. For a lease that this server acquired, the queue may have been deleted;
     * leases of other servers are unknown.
     */
    private RenewOutcome.Gone gone(UUID leaseId) {
        for (Map.Entry<UUID, LeasedRange> partition : leases.partitionsOf(leaseId).entrySet()) {
            String reason = missingReason.ofQueue(partition.getValue().queue(), partition.getValue().partition(),
                    partition.getKey());
            if (reason != null) {
                return new RenewOutcome.Gone(reason);
            }
        }
        return RenewOutcome.Gone.UNKNOWN_LEASE;
    }

    private final class RenewCarrier implements Carrier<RenewCommand, RenewRoutine.Answer> {
        @Override
        public Future<List<RenewRoutine.Answer>> carry(Connection connection, List<RenewCommand> batch) {
            return routine.renew(connection, batch);
        }

        @Override
        public boolean isBusy(RenewCommand command, RenewRoutine.Answer answer) {
            return answer.isBusy();
        }

        @Override
        public void settle(RenewCommand command, RenewRoutine.Answer answer) {
            if (answer.untilAt() == null) {
                command.reply().succeed(gone(command.leaseId()));
            } else {
                onRenewed.accept(command.leaseId(), command.seconds());
                command.reply().succeed(new RenewOutcome.Renewed(answer.untilAt()));
            }
        }

        @Override
        public void refuse(RenewCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }
}
