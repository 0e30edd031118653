/**
 * What operators do with Queen: configure, look, repair. Begin with {@link io.queenmq.client.operator.Operator}.
 *
 * <p>Safe from any thread. Calls block.
 */
@NullMarked
package io.queenmq.client.operator;

import org.jspecify.annotations.NullMarked;
