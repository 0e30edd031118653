/** The files of the dashboard, and the documents as pages. Independent of HTTP. */
@NullMarked
package io.queenmq.dashboard;

import org.jspecify.annotations.NullMarked;
