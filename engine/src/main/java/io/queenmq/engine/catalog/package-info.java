/**
 * The queues there are and their options, kept in step with the database. Through batches it calls create_queues, configure
 * and delete_queue. Runs on the engine loop.
 */
package io.queenmq.engine.catalog;
