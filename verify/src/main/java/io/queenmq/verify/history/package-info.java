/** The history of a run: one JSON object per line and request, written when the request completes. */
@NullMarked
package io.queenmq.verify.history;

import org.jspecify.annotations.NullMarked;
