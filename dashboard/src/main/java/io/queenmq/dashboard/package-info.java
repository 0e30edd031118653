/** The dashboard's files, as the server hands them to browsers. Knows nothing of HTTP. */
@NullMarked
package io.queenmq.dashboard;

import org.jspecify.annotations.NullMarked;
