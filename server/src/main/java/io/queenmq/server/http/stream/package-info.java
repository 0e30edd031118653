/** The routes of runners of stream queries: queries, their state, and cycles. */
package io.queenmq.server.http.stream;
