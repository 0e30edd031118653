/** What the outside sees: a server on a port of its own, over a real PostgreSQL, spoken to as clients do. */
package io.queenmq.server.scenario;
