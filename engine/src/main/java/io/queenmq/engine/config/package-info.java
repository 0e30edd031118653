/** The values that configure the engine. The server reads them from the environment. */
@NullMarked
package io.queenmq.engine.config;

import org.jspecify.annotations.NullMarked;
