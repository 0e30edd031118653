/** The codec that turns payloads into JSON and back with Jackson 3. Safe from any thread. */
package io.queenmq.client.jackson3;
