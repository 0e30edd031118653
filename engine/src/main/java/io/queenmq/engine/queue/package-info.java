/** A queue and its options. Data only. */
@NullMarked
package io.queenmq.engine.queue;

import org.jspecify.annotations.NullMarked;
