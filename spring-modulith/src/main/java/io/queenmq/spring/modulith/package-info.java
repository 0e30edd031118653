/**
 * Externalizes events of Spring Modulith to Queen: an event with {@code @Externalized("orders::#{customerId()}")} is
 * pushed to the partition of its customer within the transaction that publishes it.
 */
@NullMarked
package io.queenmq.spring.modulith;

import org.jspecify.annotations.NullMarked;
