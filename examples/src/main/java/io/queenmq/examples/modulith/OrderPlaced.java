package io.queenmq.examples.modulith;

import org.springframework.modulith.events.Externalized;

/** An event that is pushed to the queue of orders, to the partition of its customer. */
// snippet: modulith-event
@Externalized("modulith-orders::#{customerId()}")
public record OrderPlaced(String customerId, int number) {}
// end
