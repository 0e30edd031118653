package io.queenmq.engine.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.push.Refuge.Course;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoursesTest {
    @ParameterizedTest(name = "behind {0}, catching up {1}, away {2}, kept out {3}, open {4}: {5}")
    @CsvSource({"false, false, false, false, true, STORE",
        "false, true, false, false, true, STORE",
        "false, false, false, false, false, STORE",
        "false, true, false, false, false, STORE",
        "false, false, true, false, true, TAKE",
        "false, true, true, false, true, TAKE",
        "false, false, true, false, false, STORE",
        "false, true, true, false, false, STORE",
        "false, false, false, true, true, TAKE",
        "false, true, false, true, true, TAKE",
        "false, false, false, true, false, REFUSE",
        "false, true, false, true, false, REFUSE",
        "false, false, true, true, true, TAKE",
        "false, true, true, true, true, TAKE",
        "false, false, true, true, false, REFUSE",
        "false, true, true, true, false, REFUSE",
        "true, false, false, false, true, TAKE",
        "true, true, false, false, true, WAIT",
        "true, false, false, false, false, REFUSE",
        "true, true, false, false, false, WAIT",
        "true, false, true, false, true, TAKE",
        "true, true, true, false, true, TAKE",
        "true, false, true, false, false, REFUSE",
        "true, true, true, false, false, REFUSE",
        "true, false, true, true, true, TAKE",
        "true, true, true, true, true, TAKE",
        "true, false, true, true, false, REFUSE",
        "true, true, true, true, false, REFUSE",
        "true, false, false, true, true, TAKE",
        "true, true, false, true, true, TAKE",
        "true, false, false, true, false, REFUSE",
        "true, true, false, true, false, REFUSE"})
    void aMessageOvertakesNeitherThoseOfItsPartitionNorAnOperator(boolean isBehind, boolean isCatchingUp,
            boolean isAway, boolean isKeptOut, boolean isOpen, Course course) {
        assertThat(Courses.of(isBehind, isCatchingUp, isAway, isKeptOut, isOpen)).isEqualTo(course);
    }
}
