/**
 * Units of work: acks and pushes that take effect together or not at all. Transactions and the cycles of stream queries are
 * units of work. Each is prepared, applied by one database call, and completed. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.unit;

import org.jspecify.annotations.NullMarked;
