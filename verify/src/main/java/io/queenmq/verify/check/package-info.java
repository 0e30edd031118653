/** The checks of a history. They read the history only, once, and keep a compact state per message. */
@NullMarked
package io.queenmq.verify.check;

import org.jspecify.annotations.NullMarked;
