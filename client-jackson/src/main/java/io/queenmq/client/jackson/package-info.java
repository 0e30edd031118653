/** The codec that turns payloads into JSON and back with Jackson 2. Safe from any thread. */
package io.queenmq.client.jackson;
