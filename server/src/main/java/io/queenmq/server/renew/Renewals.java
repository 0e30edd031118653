package io.queenmq.server.renew;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.WaveMeters;
import io.queenmq.server.wave.Waves;
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
    private final ObjIntConsumer<UUID> onRenewed;
    private final Waves<RenewCommand, RenewOutcome> renewals;

    /** @param onRenewed told the lease id and the seconds */
    public Renewals(String apiSchema, ObjIntConsumer<UUID> onRenewed, Links relaxed, Timers timers,
            EngineConfig config, WaveMeters meters) {
        this.renew = "select index, until_at from " + apiSchema + ".renew($1, $2)";
        this.onRenewed = onRenewed;
        this.renewals = new Waves<>(Operation.RENEW, relaxed, timers, config, meters, new RenewCarrier());
    }

    public void accept(RenewCommand command) {
        renewals.offer(command);
    }

    private final class RenewCarrier implements Carrier<RenewCommand, RenewOutcome> {
        @Override
        public Future<List<RenewOutcome>> carry(Link link, List<RenewCommand> wave) {
            // The routine wants each lease once; who asks for the most decides.
            Map<UUID, Integer> wanted = new LinkedHashMap<>();
            for (RenewCommand command : wave) {
                wanted.merge(command.leaseId(), command.seconds(), Math::max);
            }
            UUID[] leaseIds = wanted.keySet().toArray(UUID[]::new);
            Integer[] seconds = wanted.values().toArray(Integer[]::new);
            return link.call(renew, Tuple.tuple().addValue(leaseIds).addValue(seconds)).map(rows -> {
                Map<UUID, OffsetDateTime> renewed = new LinkedHashMap<>();
                for (Row row : rows) {
                    int index = row.getInteger(0) - 1;
                    renewed.put(leaseIds[index], row.getOffsetDateTime(1));
                }
                return wave.stream().map(command -> outcome(renewed.get(command.leaseId()))).toList();
            });
        }

        private RenewOutcome outcome(OffsetDateTime untilAt) {
            return untilAt == null ? new RenewOutcome.Gone() : new RenewOutcome.Renewed(untilAt);
        }

        @Override
        public void settle(RenewCommand command, RenewOutcome outcome) {
            if (outcome instanceof RenewOutcome.Renewed) {
                onRenewed.accept(command.leaseId(), command.seconds());
            }
            command.reply().succeed(outcome);
        }

        @Override
        public void refuse(RenewCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }
}
