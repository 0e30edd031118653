/**
 * Communication with servers: JSON, HTTP, selection of a server, and retries. Not part of the API.
 *
 * <p>Thread-safe. A call blocks its thread.
 */
@NullMarked
package io.queenmq.client.wire;

import org.jspecify.annotations.NullMarked;
