package io.queenmq.server.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.push.Refuge.Course;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoursesTest {
    @ParameterizedTest(name = "behind {0}, away {1}, kept out {2}, open {3}: {4}")
    @CsvSource({"false, false, false, true, STORE", "false, false, false, false, STORE",
        "false, true, false, true, TAKE",
        "false, true, false, false, STORE", "false, false, true, true, TAKE", "false, false, true, false, REFUSE",
        "false, true, true, true, TAKE", "false, true, true, false, REFUSE", "true, false, false, true, TAKE",
        "true, false, false, false, REFUSE", "true, true, false, true, TAKE", "true, true, false, false, REFUSE",
        "true, true, true, true, TAKE", "true, true, true, false, REFUSE"})
    void aMessageNeverOvertakesThoseOfItsLaneNorAnOperator(boolean isBehind, boolean isAway, boolean isKeptOut,
            boolean isOpen, Course course) {
        assertThat(Courses.of(isBehind, isAway, isKeptOut, isOpen)).isEqualTo(course);
    }
}
