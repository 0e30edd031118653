/** The routes of operators and of the dashboard. */
@NullMarked
package io.queenmq.server.http.operator;

import org.jspecify.annotations.NullMarked;
