/**
 * The queues and their options, as the database has them. Through batches it calls create_queues, configure
 * and delete_queue. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.catalog;

import org.jspecify.annotations.NullMarked;
