/** Tests of a complete server on its own port with a real PostgreSQL, over HTTP as clients use it. */
package io.queenmq.server.scenario;
