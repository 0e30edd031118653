/**
 * The operator functions of Queen: configuration, inspection, repair. The entry point is {@link
 * io.queenmq.client.operator.Operator}.
 *
 * <p>Thread-safe. Calls block.
 */
@NullMarked
package io.queenmq.client.operator;

import org.jspecify.annotations.NullMarked;
