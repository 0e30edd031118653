/** The parts specific to Spring Boot 3: the codec with the application's mapper, and health. */
@NullMarked
package io.queenmq.spring.boot3;

import org.jspecify.annotations.NullMarked;
