/** Faults that are injected during a run, and the seeded plan that selects them. */
@NullMarked
package io.queenmq.verify.fault;

import org.jspecify.annotations.NullMarked;
