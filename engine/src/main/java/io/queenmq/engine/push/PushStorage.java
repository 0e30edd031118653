package io.queenmq.engine.push;

import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.partition.SegmentReader;

/** The objects with which turns and bundles read and store messages of partitions. */
public record PushStorage(PushRoutines routines, CatchUps catchUps, DuplicateChecker duplicates,
        PendingPushChecker checker, PayloadEncryption encryption, StoredSegments stored) {

    public static PushStorage of(EngineContext context, PushPartitions partitions, SegmentReader reader,
            PayloadEncryption encryption, StoredSegments stored) {
        PushRoutines routines = new PushRoutines(context.apiSchema(), context.config().dedupMessages(),
                context.connections().history());
        Acceptances acceptances = new Acceptances(context);
        DuplicateChecker duplicates = new DuplicateChecker(reader, acceptances, partitions);
        return new PushStorage(routines, new CatchUps(context, routines), duplicates, new PendingPushChecker(duplicates,
                acceptances, reader, context.connections().history(), context.timers()), encryption, stored);
    }
}
