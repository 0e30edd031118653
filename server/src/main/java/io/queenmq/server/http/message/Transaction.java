package io.queenmq.server.http.message;

import io.queenmq.engine.command.TransactCommand.Operation;
import java.util.List;
import java.util.UUID;

/**
 * A transaction as it was asked for.
 *
 * @param problems why it cannot be carried out, though it was asked for in the right form
 */
record Transaction(List<Operation> operations, List<UUID> requiredLeases, List<String> problems) {}
