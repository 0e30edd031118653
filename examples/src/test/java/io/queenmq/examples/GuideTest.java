package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code in the documents is the code of the examples, which is compiled and run. Commands that are typed into a shell are
 * indented instead; the tests of the command line read those. {@code -Dqueen.write-docs=true} updates the quotes.
 */
class GuideTest {
    private static final Path ROOT = Path.of("..");
    private static final List<Path> SOURCES = List.of(Path.of("src"), ROOT.resolve("examples-kotlin/src"),
            ROOT.resolve("smallrye/src/test/java"));
    private static final String REMARK = " *(?://|--|#) ";
    private static final Pattern SNIPPET = Pattern.compile(REMARK + "snippet: (\\S+)\n(.*?)" + REMARK + "end\n",
            Pattern.DOTALL);
    private static final Pattern QUOTE = Pattern
            .compile("<!-- snippet: (\\S+) -->\n+```(?:java|kotlin|sql|yaml)\n(.*?)```\n", Pattern.DOTALL);
    /** The end of a line of Java, SQL or YAML, unlike a line of a shell. */
    private static final Pattern INDENTED_CODE = Pattern.compile("^ {4}.*[;{:]$", Pattern.MULTILINE);

    private static Map<String, String> snippets;

    @BeforeAll
    static void readExamples() throws IOException {
        snippets = new HashMap<>();
        for (Path sources : SOURCES) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    readSnippets(file);
                }
            }
        }
    }

    private static void readSnippets(Path file) throws IOException {
        Matcher matcher = SNIPPET.matcher(Files.readString(file));
        while (matcher.find()) {
            String code = matcher.group(2).stripTrailing().stripIndent() + "\n";
            assertThat(snippets.put(matcher.group(1), code)).as("another " + matcher.group(1)).isNull();
        }
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), guides.sorted()).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyQuoteEqualsItsExample(Path page) throws IOException {
        String text = Files.readString(page);
        String wanted = QUOTE.matcher(text).replaceAll(quote -> {
            assertThat(snippets).containsKey(quote.group(1));
            return Matcher.quoteReplacement(
                    quote.group().replace(quote.group(2) + "```\n", snippets.get(quote.group(1)) + "```\n"));
        });

        if (Boolean.getBoolean("queen.write-docs")) {
            Files.writeString(page, wanted);
        }
        assertThat(Files.readString(page)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void allCodeIsQuotedFromExamples(Path page) throws IOException {
        String rest = QUOTE.matcher(Files.readString(page)).replaceAll("");

        assertThat(rest).doesNotContain("```", "snippet:");
        assertThat(INDENTED_CODE.matcher(rest).results().map(code -> code.group().strip())).isEmpty();
    }

    @Test
    void everySnippetIsQuoted() throws IOException {
        Set<String> quoted = new HashSet<>();
        for (Path page : pages()) {
            QUOTE.matcher(Files.readString(page)).results().forEach(quote -> quoted.add(quote.group(1)));
        }

        assertThat(snippets.keySet()).isNotEmpty().isEqualTo(quoted);
    }
}
