/** Reads and writes JSON, and validates the values in it: names, ids and timestamps. */
package io.queenmq.server.http.json;
