/** The codec that turns payloads into JSON and back with Jackson 2. Safe from any thread. */
@NullMarked
package io.queenmq.client.jackson;

import org.jspecify.annotations.NullMarked;
