/** The values that configure the engine. The server reads them from the environment. */
package io.queenmq.engine.config;
