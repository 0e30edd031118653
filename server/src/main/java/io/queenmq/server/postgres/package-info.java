/**
 * Opens connections to PostgreSQL, detects silent ones, and replaces them.
 */
@NullMarked
package io.queenmq.server.postgres;

import org.jspecify.annotations.NullMarked;
