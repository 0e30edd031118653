/** The parts specific to Spring Boot 4: the codec with the application's mapper, and health. */
@NullMarked
package io.queenmq.spring.boot4;

import org.jspecify.annotations.NullMarked;
