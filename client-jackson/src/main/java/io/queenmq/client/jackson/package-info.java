/** The codec that turns payloads into JSON and back with Jackson. Safe from any thread. */
package io.queenmq.client.jackson;
