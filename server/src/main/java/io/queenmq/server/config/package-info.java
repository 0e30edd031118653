/**
 * The settings of a server: one tree of records, read once from the environment. {@link Setting} is the list of them,
 * with defaults, ranges and descriptions; the page {@code docs/reference/configuration.md} is generated from that list.
 */
@NullMarked
package io.queenmq.server.config;

import org.jspecify.annotations.NullMarked;
