/** What is particular to Spring Boot 3: the mapper that payloads are read and written with, and health. */
@NullMarked
package io.queenmq.spring.boot3;

import org.jspecify.annotations.NullMarked;
