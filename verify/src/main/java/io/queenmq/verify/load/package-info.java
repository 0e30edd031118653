/** The workload: producers, consumers, transactions and operators with seeded behavior. */
@NullMarked
package io.queenmq.verify.load;

import org.jspecify.annotations.NullMarked;
