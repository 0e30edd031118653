/** The routes of producers and consumers: push, pop, ack, transaction, renew and configure. */
package io.queenmq.server.http.message;
