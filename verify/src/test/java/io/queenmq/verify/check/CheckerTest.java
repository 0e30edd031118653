package io.queenmq.verify.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.history.HistoryReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each check rejects its doctored histories, no other check does, and all checks accept the histories without the change. In the files,
 * lines that begin with + are in the doctored history only, and lines that begin with - in the valid one.
 */
class CheckerTest {
    private static final int CHECKS = 16;

    private static final String DOCTORED = "+ ";
    private static final String VALID = "- ";

    @TempDir
    private Path folder;

    @Test
    void aValidHistoryHasNoViolations() {
        assertThat(texts(check("valid", VALID))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"loss, loss", "loss-of-a-group, loss", "phantom, phantom", "phantom-rejected, phantom",
        "duplicate, duplicate", "duplicate-id, duplicate", "order, order", "order-of-deliveries, order",
        "lease-holder, lease-holder", "fencing, fencing", "cursor, cursor", "attempts, attempts",
        "attempts-dead, attempts", "torn-transaction, torn-transaction", "conservation, conservation",
        "retention, retention", "seek, seek", "liveness, liveness", "liveness-drain, liveness",
        "lease-leak, lease-leak", "connection-leak, connection-leak", "memory-leak, memory-leak"})
    void aDoctoredHistoryIsRejectedByItsCheckOnly(String history, String check) {
        assertThat(texts(check(history, VALID))).isEmpty();

        Findings findings = check(history, DOCTORED);

        assertThat(findings.counts().keySet()).as("%s", texts(findings)).containsExactly(check);
        assertThat(evidence(history, findings)).isNotEmpty();
    }

    @Test
    void everyCheckHasADoctoredHistory() throws IOException {
        assertThat(Checker.guarantees()).hasSize(CHECKS);
        try (Stream<Path> files = Files.list(path("valid").getParent())) {
            List<String> names = files.map(each -> each.getFileName().toString().replace(".jsonl", "")).toList();
            assertThat(names).containsAll(Checker.guarantees().keySet());
        }
    }

    private Findings check(String history, String side) {
        return Checker.check(oneSide(history, side), _ -> {});
    }

    /** Writes one of the two histories of a file. */
    private Path oneSide(String history, String side) {
        String other = side.equals(DOCTORED) ? VALID : DOCTORED;
        try {
            List<String> lines = Files.readAllLines(path(history)).stream().filter(each -> !each.startsWith(other))
                    .map(each -> each.startsWith(side) ? each.substring(side.length()) : each).toList();
            return Files.write(folder.resolve(history), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> texts(Findings findings) {
        return findings.kept().stream().map(each -> each.check() + ": " + each.text()).toList();
    }

    private List<JsonNode> evidence(String history, Findings findings) {
        List<JsonNode> lines = new ArrayList<>();
        HistoryReader.read(oneSide(history, DOCTORED), line -> {
            if (findings.kept().stream().anyMatch(each -> each.isEvidence().test(line))) {
                lines.add(line);
            }
        });
        return lines;
    }

    private static Path path(String history) {
        URL resource = Objects.requireNonNull(CheckerTest.class.getResource("/histories/" + history + ".jsonl"));
        try {
            return Path.of(resource.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
