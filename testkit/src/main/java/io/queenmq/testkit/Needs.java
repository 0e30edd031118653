package io.queenmq.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Declares the programs that the tests of a class need. A missing program is installed if that is possible; otherwise the
 * tests are skipped and the build reports them at its end.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCondition.class)
public @interface Needs {
    Program[] value();
}
