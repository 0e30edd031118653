package io.queenmq.system;

import static io.queenmq.system.Repository.files;
import static io.queenmq.system.Repository.lines;
import static io.queenmq.system.Repository.name;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks all text against the rules and the glossary in CONTRIBUTING.md. */
class LanguageTest {
    /** Expressions that treat requests and rows as persons, vague verbs, metaphors, and words that the glossary replaces. */
    private static final Pattern REJECTED = Pattern
            .compile(
                    "\\b(" + String.join("|", "nobody", "somebody", "someone", "anybody", "anyone", "everybody",
                            "everyone", "whoever", "whomever", "whom", "tell(?:s|ing)?", "told", "hear(?:s|d)?",
                            "hearsay", "says?", "said", "believe[sd]?", "learn(?:s|ed|t)?", "forgiv(?:e|es|en)",
                            "pardon(?:s|ed)?", "comes?", "came", "goes", "go(?:es)? on", "went", "lets? go", "stood",
                            "know(?:s|n)? of", "looks? at", "in vain", "at last", "elsewhere", "refuge", "bury",
                            "buried", "grave", "lanes?", "waves?", "bells?", "rooms?", "parked", "neighbou?rs?",
                            "behaviour", "colours?", "favour", "honour(?:s|ed)?", "centre", "cancelled", "serialised?",
                            "recognised?", "organised?", "acknowledgements?", "afterwards", "towards") + ")\\b",
                    Pattern.CASE_INSENSITIVE);

    /** Words in names of several words that the glossary replaces. Single words are texts, too. */
    private static final Set<String> REJECTED_IN_NAMES = Set.of("lane", "lanes", "wave", "waves", "neighbour",
            "neighbours", "hearsay", "refuge", "bell", "bells", "bury", "buried", "grave", "parked", "nobody",
            "somebody", "someone", "anybody", "anyone", "everybody", "everyone", "whoever", "whom", "who", "told",
            "tell", "tells", "say", "says", "said", "hear", "hears", "heard", "believe", "forgive", "pardon", "come",
            "comes", "came", "goes", "went", "elsewhere", "room", "rooms", "desk", "colour", "colours", "whatever",
            "wherever", "however", "zombie", "poison");

    /** Files in which a rejected word is correct, with the words. */
    private static final Map<String, Set<String>> EXCEPTIONS = Map.ofEntries(
            // The glossary and the rules list the words to avoid.
            Map.entry("CONTRIBUTING.md",
                    Set.of("lane", "wave", "bell", "room", "parked", "bury", "grave", "refuge", "neighbour", "hearsay",
                            "nobody", "told", "come", "tell", "hear")),
            // The README explains a partition once as a lane. The former name of a command is still accepted.
            Map.entry("README.md", Set.of("lane")), Map.entry("CHANGELOG.md", Set.of("lane", "lanes")),
            Map.entry("cli/src/main/java/io/queenmq/cli/CommandTree.java", Set.of("lane")),
            Map.entry("cli/src/test/java/io/queenmq/cli/CommandLineTest.java", Set.of("lane")),
            // A user of the operating system.
            Map.entry("embedded/src/main/java/io/queenmq/embedded/RunAsChoice.java", Set.of("nobody")),
            // BodyPublishers.noBody() of the JDK.
            Map.entry("client/src/main/java/io/queenmq/client/wire/Wire.java", Set.of("nobody")),
            Map.entry("testkit/src/main/java/io/queenmq/testkit/QueenClient.java", Set.of("nobody")),
            Map.entry("server/src/test/java/io/queenmq/server/http/HttpApiTest.java", Set.of("nobody")),
            Map.entry("system-tests/src/test/java/io/queenmq/system/BrokenProxy.java", Set.of("nobody")),
            // A state of redrives in the HTTP contract.
            Map.entry("schema/src/main/resources/queen/schema/migrations/0001_catalog.sql", Set.of("cancelled")),
            Map.entry("schema/src/main/resources/queen/schema/redrive/operator/cancel_redrive.sql",
                    Set.of("cancelled")),
            Map.entry("server/src/main/resources/queen/api/repair.json", Set.of("cancelled")),
            Map.entry("dashboard/src/main/resources/queen/dashboard/assets/js/ui/badge.js", Set.of("cancelled")),
            Map.entry("client/src/test/java/io/queenmq/client/RepairTest.java", Set.of("cancelled")),
            Map.entry("dashboard-tests/src/test/java/io/queenmq/dashboard/tests/DeadLetterActionsTest.java",
                    Set.of("cancelled")),
            Map.entry("schema/src/test/java/io/queenmq/schema/RedriveRoutinesTest.java", Set.of("cancelled")),
            Map.entry("server/src/test/java/io/queenmq/server/scenario/DeadLetterTest.java", Set.of("cancelled")),
            Map.entry("server/src/test/java/io/queenmq/server/scenario/RedriveFailureTest.java", Set.of("cancelled")),
            // Fields that were renamed.
            Map.entry("server/src/test/java/io/queenmq/server/http/openapi/ApiContractTest.java", Set.of("lanes")));

    /** Names of the HTTP contract: a path, a setting, a field and metrics, one of them after a line break. */
    private static final Set<String> CONTRACT_NAMES = Set.of("MAX_PARKED_POPS", "parkedCount", "queen_pop_parked",
            "nqueen_pop_parked", "queen_queue_parked_consumers");
    private static final Pattern CONTRACT_TEXT = Pattern
            .compile("queue-parked-replicas|queen\\.pop\\.parked|\\bparked: \\{ title|\\| parked \\|");
    private static final String THIS_FILE = "system-tests/src/test/java/io/queenmq/system/LanguageTest.java";
    private static final Pattern JAVADOC_QUESTION = Pattern
            .compile("/\\*\\*\\s+(?:\\* )?(What|Whether|How|Who|Whose|Those)\\b");
    private static final Pattern IDENTIFIER = Pattern.compile("\\b[A-Za-z_][A-Za-z0-9_]*\\b");
    private static final Pattern WORD_OF_NAME = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");

    @Test
    void textsContainNoRejectedWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : texts()) {
            Set<String> allowed = EXCEPTIONS.getOrDefault(name(file), Set.of());
            List<String> lines = lines(file);
            for (int i = 0; i < lines.size(); i++) {
                Matcher matcher = REJECTED.matcher(CONTRACT_TEXT.matcher(lines.get(i)).replaceAll(""));
                while (matcher.find()) {
                    if (!allowed.contains(matcher.group().toLowerCase(Locale.ROOT))) {
                        found.add(name(file) + ":" + (i + 1) + " " + matcher.group());
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void namesContainNoRejectedWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files(".java", ".sql")) {
            for (String identifier : identifiers(text(file))) {
                if (hasRejectedWord(identifier)) {
                    found.add(name(file) + " " + identifier);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void javadocBeginsWithANounOrAVerb() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files(".java")) {
            if (!name(file).equals(THIS_FILE) && JAVADOC_QUESTION.matcher(text(file)).find()) {
                found.add(name(file));
            }
        }
        assertThat(found).isEmpty();
    }

    /** The rules themselves must match, otherwise the tests above pass on any text. */
    @Test
    void theRulesRejectExamples() {
        assertThat(REJECTED.matcher("nobody is told").find()).isTrue();
        assertThat(REJECTED.matcher("The drain goes on").find()).isTrue();
        assertThat(REJECTED.matcher("a wavelength, a planet, a category").find()).isFalse();
        assertThat(JAVADOC_QUESTION.matcher("/** What one call adds. */").find()).isTrue();
        assertThat(JAVADOC_QUESTION.matcher("/**\n     * Whether it is full").find()).isTrue();
        assertThat(JAVADOC_QUESTION.matcher("/** Returns whether the queue is full. */").find()).isFalse();
        String former = "lane" + "Of(OPEN_" + "LANES) of a planetEarth";
        assertThat(identifiers(former).stream().filter(LanguageTest::hasRejectedWord)).hasSize(2);
    }

    private static List<Path> texts() throws IOException {
        return files(".java", ".sql", ".md", ".js", ".css", ".html", ".yml", ".yaml", ".json", ".properties", "/queen")
                .stream().filter(file -> !name(file).equals(THIS_FILE)).toList();
    }

    private static boolean hasRejectedWord(String identifier) {
        List<String> words = WORD_OF_NAME.matcher(identifier).results()
                .map(word -> word.group().toLowerCase(Locale.ROOT)).toList();
        return words.size() > 1 && !CONTRACT_NAMES.contains(identifier)
                && words.stream().anyMatch(REJECTED_IN_NAMES::contains);
    }

    private static Set<String> identifiers(String text) {
        return IDENTIFIER.matcher(text).results().map(match -> match.group()).collect(Collectors.toSet());
    }
}
