/** Reads and writes JSON, and validates the values in it: names, ids and timestamps. */
@NullMarked
package io.queenmq.server.http.json;

import org.jspecify.annotations.NullMarked;
