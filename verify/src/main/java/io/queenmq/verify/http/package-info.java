/** HTTP/1.1 over sockets. A request is sent at most once, so a history contains every attempt. */
@NullMarked
package io.queenmq.verify.http;

import org.jspecify.annotations.NullMarked;
