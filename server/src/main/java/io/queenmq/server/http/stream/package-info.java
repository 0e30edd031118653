/** The routes of runners of stream queries: queries, their state, and cycles. */
@NullMarked
package io.queenmq.server.http.stream;

import org.jspecify.annotations.NullMarked;
