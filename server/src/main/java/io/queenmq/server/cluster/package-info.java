/**
 * Carries hints with JGroups over TCP. Members find each other through the database, or by a list. Every byte that comes in
 * must have been sealed by a member before JGroups sees it. Runs on threads of its own, and keeps nobody waiting.
 */
package io.queenmq.server.cluster;
