/** Authenticates callers and checks the rights that a request needs, before its route handles it. */
package io.queenmq.server.http.access;
