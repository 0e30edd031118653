/** The codec that turns payloads into JSON and back with Jackson 3. Safe from any thread. */
@NullMarked
package io.queenmq.client.jackson3;

import org.jspecify.annotations.NullMarked;
