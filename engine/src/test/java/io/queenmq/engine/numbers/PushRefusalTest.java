package io.queenmq.engine.numbers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SQL, the dashboard, the OpenAPI document and the guides list the reasons, too. They must not differ from the enum. */
class PushRefusalTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final Pattern SERIES = Pattern.compile("'queen_push_refused_total', array\\[([^\\]]*)\\]");
    private static final Pattern REASON = Pattern.compile("\\b(?:%s)\\b".formatted(String.join("|", labels())));

    /** Each reason has a series before it occurs. */
    @Test
    void everyReasonHasASeries() throws IOException {
        try (var sql = PushRefusal.class.getResourceAsStream("/queen/schema/numbers/internal/metrics_of_queues.sql")) {
            var reasons = SERIES.matcher(new String(sql.readAllBytes(), UTF_8));

            assertThat(reasons.find()).isTrue();
            assertThat(reasons.group(1).replace("'", "").split(", ")).containsExactlyInAnyOrderElementsOf(labels());
        }
    }

    /** @param part begins where the document lists the reasons, and ends where the list ends */
    @ParameterizedTest
    @CsvSource(delimiter = '@', textBlock = """
            docs/guide/numbers.md                                                      @ (?ms)^\\| reason \\| cause.*?^$
            docs/monitoring/README.md                                                  @ (?m)`queen_push_refused_total`.*$
            server/src/main/resources/queen/api/numbers.json                           @ "pushRefusedReasons": "[^"]*"
            server/src/main/resources/queen/api/numbers.json                           @ "reason": "string: full[^"]*"
            dashboard/src/main/resources/queen/dashboard/assets/js/pages/verdict.js    @ (?s)const REFUSED = \\{.*?\\};
            """)
    void everyReasonIsDescribed(Path file, String part) throws IOException {
        List<String> parts = Pattern.compile(part).matcher(Files.readString(REPOSITORY.resolve(file))).results()
                .map(MatchResult::group).toList();

        assertThat(parts).as("lists of reasons in " + file).hasSize(1);
        assertThat(REASON.matcher(parts.getFirst()).results().map(MatchResult::group)).containsAll(labels());
    }

    private static List<String> labels() {
        return Arrays.stream(PushRefusal.values()).map(PushRefusal::label).toList();
    }
}
