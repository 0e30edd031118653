/** What is particular to Spring Boot 4: the mapper that payloads are read and written with, and health. */
@NullMarked
package io.queenmq.spring.boot4;

import org.jspecify.annotations.NullMarked;
