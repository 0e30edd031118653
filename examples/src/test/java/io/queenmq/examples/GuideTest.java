package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in the guide is the code of the examples, which is compiled and run. */
class GuideTest {
    private static final Path GUIDE = Path.of("../docs/guide/java-client.md");
    private static final Path SOURCES = Path.of("src/main/java/io/queenmq/examples");
    private static final Pattern SNIPPET = Pattern.compile(" *// snippet: (\\S+)\n(.*?) *// end\n", Pattern.DOTALL);
    private static final Pattern QUOTE = Pattern.compile("<!-- snippet: (\\S+) -->\n+```java\n(.*?)```\n",
            Pattern.DOTALL);

    @Test
    void everyQuoteIsWhatTheExampleSays() throws IOException {
        Map<String, String> snippets = snippets();

        Map<String, String> quotes = quotes();

        assertThat(quotes).isNotEmpty();
        assertThat(quotes).allSatisfy((name, code) -> assertThat(code).as(name).isEqualTo(snippets.get(name)));
        assertThat(snippets.keySet()).as("snippets that nobody quotes").isSubsetOf(quotes.keySet());
    }

    @Test
    void noJavaIsWrittenBesideTheExamples() throws IOException {
        String guide = Files.readString(GUIDE);

        assertThat(guide.split("```java", -1)).hasSize(quotes().size() + 1);
    }

    private static Map<String, String> quotes() throws IOException {
        Map<String, String> quotes = new LinkedHashMap<>();
        Matcher matcher = QUOTE.matcher(Files.readString(GUIDE));
        while (matcher.find()) {
            quotes.put(matcher.group(1), matcher.group(2));
        }
        return quotes;
    }

    private static Map<String, String> snippets() throws IOException {
        Map<String, String> snippets = new HashMap<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                Matcher matcher = SNIPPET.matcher(Files.readString(file));
                while (matcher.find()) {
                    snippets.put(matcher.group(1), matcher.group(2).stripTrailing().stripIndent() + "\n");
                }
            }
        }
        return snippets;
    }
}
