/** The files of the dashboard. Independent of HTTP. */
@NullMarked
package io.queenmq.dashboard;

import org.jspecify.annotations.NullMarked;
