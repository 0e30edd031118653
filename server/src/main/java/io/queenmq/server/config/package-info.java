/**
 * The settings of a server: one tree of records, read once from the environment. {@link Setting} is the list of them,
 * with defaults, ranges and meanings; the page {@code docs/reference/configuration.md} is written from that list.
 */
package io.queenmq.server.config;
