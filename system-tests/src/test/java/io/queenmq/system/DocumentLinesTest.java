package io.queenmq.system;

import static io.queenmq.system.Repository.files;
import static io.queenmq.system.Repository.lines;
import static io.queenmq.system.Repository.name;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks the line breaks of documents. A line has at most 160 columns, except rows of tables and preformatted lines, which cannot
 * be wrapped. A line of a paragraph or list item ends before column 100 only if the next word does not fit: wrapped lines are
 * joined. {@code -Dqueen.write-docs=true} fills every paragraph that violates one of these rules again.
 */
class DocumentLinesTest {
    private static final int COLUMNS_MAX = 160;
    private static final int JOINED_COLUMNS = 100;
    private static final String FENCE = "```";
    /** The beginning of a line that is not the continuation of a paragraph. */
    private static final Pattern BEGINNING = Pattern
            .compile("\\s*(?:[-*+] |\\d+\\. |#|\\||>|<|```|!\\[|\\[[ x]] ).*|    .*|\\s*");
    /** The beginning of a line that no other line continues. */
    private static final Pattern WITHOUT_CONTINUATION = Pattern.compile("\\s*(?:#|\\||>|<|```|!\\[).*|    .*|\\s*");
    /** A word, a code span or a link. Spans and links are not wrapped. */
    private static final Pattern WORD = Pattern.compile("(?:`[^`]*`|\\[[^\\]]*]\\([^)]*\\)|\\S)+");
    /** A word that would begin a list or a heading at the beginning of a line. */
    private static final Pattern MARKER = Pattern.compile("[-*+]|\\d+\\.|[#|><].*");

    @Test
    void linesAreJoinedAndHaveAtMost160Columns() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files(".md")) {
            List<String> lines = lines(file);
            if (Boolean.getBoolean("queen.write-docs")) {
                Files.writeString(file, String.join("\n", filled(lines)) + "\n");
            } else {
                wrongLines(lines).forEach(number -> found.add(name(file) + ":" + number));
            }
        }
        assertThat(found).as("run this test with -Dqueen.write-docs=true").isEmpty();
    }

    @Test
    void theRulesRejectExamples() {
        String text = "word ".repeat(12).strip();
        assertThat(wrongLines(List.of(text, text))).containsExactly(1);
        assertThat(wrongLines(List.of("- " + text, "  " + text, "- " + text))).containsExactly(1);
        assertThat(wrongLines(List.of(text, "", text, "- " + text))).isEmpty();
        assertThat(wrongLines(List.of("| " + text, "| " + "x".repeat(200)))).isEmpty();
        assertThat(wrongLines(List.of(FENCE, text, text, FENCE))).isEmpty();
        assertThat(wrongLines(List.of("x".repeat(161)))).containsExactly(1);
        assertThat(filled(List.of("# T", "- " + text, "  " + text + " - end", "", text))).containsExactly("# T",
                "- " + text + " " + text + " - end", "", text);
        assertThat(filled(List.of(text, text, text))).allMatch(line -> line.length() <= COLUMNS_MAX).hasSize(2);
    }

    /** Returns the numbers of lines that are too long, or that end too early. */
    private static List<Integer> wrongLines(List<String> lines) {
        List<Integer> wrong = new ArrayList<>();
        boolean isFenced = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            isFenced ^= line.strip().startsWith(FENCE);
            if (isFenced || line.startsWith("|") || line.startsWith("    ")) {
                continue;
            }
            boolean endsEarly = isContinued(lines, i)
                    && line.length() + 1 + firstWord(lines.get(i + 1)).length() <= JOINED_COLUMNS;
            if (endsEarly || line.length() > COLUMNS_MAX) {
                wrong.add(i + 1);
            }
        }
        return wrong;
    }

    private static List<String> filled(List<String> lines) {
        List<String> result = new ArrayList<>();
        boolean isFenced = false;
        for (int i = 0; i < lines.size(); i++) {
            isFenced ^= lines.get(i).strip().startsWith(FENCE);
            int end = i + 1;
            while (!isFenced && isContinued(lines, end - 1)) {
                end++;
            }
            List<String> paragraph = lines.subList(i, end);
            result.addAll(isFenced || wrongLines(paragraph).isEmpty() ? paragraph : fill(paragraph));
            i = end - 1;
        }
        return result;
    }

    private static List<String> fill(List<String> paragraph) {
        List<String> result = new ArrayList<>();
        String indent = " ".repeat(paragraph.getLast().length() - paragraph.getLast().stripLeading().length());
        String first = paragraph.getFirst();
        StringBuilder line = new StringBuilder(first.substring(0, first.length() - first.stripLeading().length()));
        boolean isEmpty = true;
        for (String word : words(String.join(" ", paragraph.stream().map(String::strip).toList()))) {
            if (!isEmpty && line.length() + 1 + word.length() > COLUMNS_MAX && !MARKER.matcher(word).matches()) {
                result.add(line.toString());
                line.replace(0, line.length(), indent).append(word);
            } else {
                line.append(isEmpty ? "" : " ").append(word);
            }
            isEmpty = false;
        }
        result.add(line.toString());
        return result;
    }

    private static boolean isContinued(List<String> lines, int index) {
        return index + 1 < lines.size() && !WITHOUT_CONTINUATION.matcher(lines.get(index)).matches()
                && !BEGINNING.matcher(lines.get(index + 1)).matches();
    }

    private static String firstWord(String line) {
        return words(line).getFirst();
    }

    private static List<String> words(String text) {
        return WORD.matcher(text).results().map(MatchResult::group).toList();
    }
}
