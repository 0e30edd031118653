package io.queenmq.server.http.message;

import io.queenmq.engine.command.TransactCommand.Operation;
import java.util.List;
import java.util.UUID;

/**
 * The contents of a transaction request.
 *
 * @param problems reasons why a well-formed transaction cannot be executed
 */
record Transaction(List<Operation> operations, List<UUID> requiredLeases, List<String> problems) {}
