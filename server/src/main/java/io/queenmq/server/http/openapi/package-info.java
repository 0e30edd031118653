/** The OpenAPI document, written from the addresses of the routes and the descriptions in {@code resources/queen/api}. */
@NullMarked
package io.queenmq.server.http.openapi;

import org.jspecify.annotations.NullMarked;
