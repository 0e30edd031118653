package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Java, SQL and documents agree on the SQLSTATEs of routines. */
class RoutineErrorTest {
    private static final Pattern RAISED = Pattern.compile("errcode = '(QN\\d{3})'");
    private static final Pattern NAMED = Pattern.compile("QN\\d{3}");
    private static final Set<String> STATES = Arrays.stream(RoutineError.values()).map(RoutineError::state)
            .collect(Collectors.toSet());

    @Test
    void everyRaisedErrorHasAJavaConstant() {
        assertThat(Script.all().stream().flatMap(script -> RAISED.matcher(script.text()).results())
                .map(match -> match.group(1)).collect(Collectors.toSet())).isEqualTo(STATES);
    }

    @Test
    void headersAndDocumentsNameErrorsThatExist() {
        assertThat(Script.all().stream().map(Script::text).flatMap(RoutineErrorTest::named)).isSubsetOf(STATES);
        assertThat(Sources.of("docs", ".md").flatMap(RoutineErrorTest::named)).isNotEmpty().isSubsetOf(STATES);
    }

    @Test
    void serverStatesNoCodeItself() {
        assertThat(Sources
                .of("engine/src/main/java", ".java", "server/src/main/java", ".java", "cli/src/main/java", ".java")
                .flatMap(RoutineErrorTest::named)).isEmpty();
    }

    /** Libraries of applications do not depend on this module. */
    @Test
    void librariesNameErrorsThatExist() {
        assertThat(Sources.of("client/src/main/java", ".java", "spring/src/main/java", ".java")
                .flatMap(RoutineErrorTest::named)).isNotEmpty().isSubsetOf(STATES);
    }

    private static Stream<String> named(String text) {
        return NAMED.matcher(text).results().map(MatchResult::group);
    }
}
