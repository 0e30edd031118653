/** Which server is meant, and with which token. */
package io.queenmq.cli.settings;
