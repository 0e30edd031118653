/** The routes of producers and consumers: push, pop, ack, transaction, renew and configure. */
@NullMarked
package io.queenmq.server.http.message;

import org.jspecify.annotations.NullMarked;
