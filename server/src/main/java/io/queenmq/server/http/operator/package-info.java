/** The routes of operators and of the dashboard. */
package io.queenmq.server.http.operator;
