/**
 * The redrive room: dead letters go back into lanes, a few at a time, through the door of the engine like any push. What is
 * to be redriven stands in the database, so that any server can go on where another one ended.
 */
package io.queenmq.server.redrive;
