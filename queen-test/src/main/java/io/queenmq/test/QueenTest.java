package io.queenmq.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class whose methods and constructor may have parameters of the types {@link io.queenmq.client.Queen} and
 * {@link TestQueen}. In a test of a Spring Boot application with a starter of Queen, the application uses this server.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(QueenExtension.class)
public @interface QueenTest {
    /**
     * True if the DataSource of the Spring Boot application is the database of the server, as an application needs that
     * pushes inside its own transactions.
     */
    boolean dataSource() default false;
}
