/** Authenticates callers and checks the rights that a request needs, before its route handles it. */
@NullMarked
package io.queenmq.server.http.access;

import org.jspecify.annotations.NullMarked;
