/** A queue and its options. Data only. */
package io.queenmq.engine.queue;
