package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;

/** A request to the engine. Its reply is completed exactly once, with an outcome or with a failure. */
public sealed interface Command permits AckCommand, ArrivalCommand, ConfigureCommand, CycleCommand, DeleteQueueCommand,
        DropRefusedCommand, ListRefusedCommand, PopCommand, PushCommand, ReadStateCommand, RedrivenCommand,
        RefreshCatalogCommand, RegisterQueryCommand, ReleaseCommand, RenewCommand, ReportTouchedCommand,
        RestoreRefusedCommand, TransactCommand {

    /** Returns the reply; it ignores its outcome where the sender does not wait for one. */
    Reply<?> reply();
}
