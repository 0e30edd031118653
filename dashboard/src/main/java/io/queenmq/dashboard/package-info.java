/** The dashboard's files, as the server hands them to browsers. Knows nothing of HTTP. */
package io.queenmq.dashboard;
