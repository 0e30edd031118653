package io.queenmq.engine.stream;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.ReadStateCommand;
import io.queenmq.engine.command.ReadStateOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.stream.StreamRoutines.StoredState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Reads the state of queries for runners, within bounds. Owned by the engine loop. */
public final class StateReads {
    private static final int ROWS_MAX = 10_000;
    private static final long BYTES_MAX = 16 << 20;

    private final StreamRoutines routines;
    private final StateEncryption encryption;
    private final ShardBatches<ReadStateCommand, StoredState> reads;

    public StateReads(EngineContext context, Catalog catalog, PayloadCipher cipher) {
        this.routines = new StreamRoutines(context.apiSchema());
        this.encryption = new StateEncryption(catalog, cipher);
        this.reads = new ShardBatches<>(context, Operation.READ_STATE, Durability.RELAXED,
                command -> context.connections().shardOf(command.partitionId()), new ReadCarrier());
    }

    public void accept(ReadStateCommand command) {
        reads.offer(command);
    }

    private ReadStateOutcome outcomeOf(ReadStateCommand command, StoredState state) {
        if (!state.isKnown()) {
            return new ReadStateOutcome.UnknownQuery();
        }
        // A runner flushes ripe windows and then reads again, so a truncated result is sufficient. In other reads a
        // missing row would look like an absent key.
        if (state.isCut() && command.ripeUntil() == null) {
            return new ReadStateOutcome.Refused("the requested state has more than " + ROWS_MAX + " rows or "
                    + BYTES_MAX + " bytes: ask for fewer keys, or for a longer key_prefix");
        }
        List<ReadStateOutcome.Row> rows = new ArrayList<>(state.rows().size());
        for (StoredState.Row row : state.rows()) {
            byte[] value = row.value();
            if (row.isSealed()) {
                try {
                    value = encryption.decrypt(command.queryId(), command.partitionId(), row.key(), value);
                } catch (CipherException e) {
                    return new ReadStateOutcome.Refused("the state of key '" + row.key() + "': " + e.getMessage());
                }
            }
            rows.add(new ReadStateOutcome.Row(row.key(), value, row.updatedAtMicros()));
        }
        return new ReadStateOutcome.Rows(rows);
    }

    private final class ReadCarrier implements Carrier<ReadStateCommand, StoredState> {
        @Override
        public Future<List<StoredState>> carry(Connection connection, List<ReadStateCommand> batch) {
            return routines.read(connection, batch, ROWS_MAX, BYTES_MAX);
        }

        @Override
        public void settle(ReadStateCommand command, StoredState state) {
            command.reply().succeed(outcomeOf(command, state));
        }

        @Override
        public void refuse(ReadStateCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }
}
