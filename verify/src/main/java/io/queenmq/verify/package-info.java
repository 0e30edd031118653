/** The command {@code queen verify}: applies load and faults to servers, records every request, and checks the history. */
@NullMarked
package io.queenmq.verify;

import org.jspecify.annotations.NullMarked;
