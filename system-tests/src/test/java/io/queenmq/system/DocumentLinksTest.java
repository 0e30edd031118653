package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static io.queenmq.system.Repository.files;
import static io.queenmq.system.Repository.name;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every link between documents has a target: a file of the repository, and in it the heading. */
class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern REMOTE = Pattern.compile("[a-z]+:.*");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]+Test)[`.#]");

    @Test
    void everyLinkHasATarget() throws IOException {
        List<String> dead = new ArrayList<>();
        int count = 0;
        for (Path file : files(".md")) {
            for (String link : links(text(file))) {
                count++;
                if (!hasTarget(file, link)) {
                    dead.add(name(file) + " -> " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(count).isGreaterThan(200);
    }

    @Test
    void everyGuideIsLinkedFromTheReadme() throws IOException {
        List<String> links = links(text(ROOT.resolve("README.md")));

        assertThat(files(".md").stream().map(Repository::name).filter(file -> file.startsWith("docs/guide/")))
                .hasSizeGreaterThan(15).allSatisfy(file -> assertThat(links).contains(file));
    }

    @Test
    void everyNamedTestExists() throws IOException {
        Set<String> tests = files("Test.java").stream().map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(files(".md").stream().flatMap(file -> TEST.matcher(text(file)).results())
                .map(match -> match.group(1)).filter(test -> !tests.contains(test))).isEmpty();
        assertThat(TEST.matcher("`NoSuchTest.method`").find()).isTrue();
    }

    @Test
    void anchorsAreThoseOfTheHeadings() {
        assertThat(anchors("# A `b` [c](d.md), e_f: g-h!\n## Twice\n```\n# no heading\n```\n## Twice\n"))
                .containsExactlyInAnyOrder("a-b-c-e_f-g-h", "twice", "twice-1");
        assertThat(links("see [a](b.md#c),\n[d\ne](https://x.example) and `[f](g)` and\n\n    [h](i)\n"))
                .containsExactly("b.md#c", "https://x.example");
        assertThat(hasTarget(ROOT.resolve("README.md"), "LICENSE")).isTrue();
        assertThat(hasTarget(ROOT.resolve("README.md"), "NO-LICENSE")).isFalse();
        assertThat(hasTarget(ROOT.resolve("README.md"), "#promises")).isTrue();
        assertThat(hasTarget(ROOT.resolve("README.md"), "#no-promises")).isFalse();
    }

    /** Returns the anchors that GitHub and most renderers give to the headings of a document. */
    static Set<String> anchors(String document) {
        Set<String> anchors = new HashSet<>();
        boolean isCode = false;
        for (String line : document.lines().toList()) {
            if (line.startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode && line.matches("#{1,6} .*")) {
                String title = line.replaceFirst("#+ +", "").replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
                String anchor = title.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ',
                        '-');
                String unique = anchor;
                for (int i = 1; !anchors.add(unique); i++) {
                    unique = anchor + "-" + i;
                }
            }
        }
        return anchors;
    }

    private static List<String> links(String document) {
        String prose = document.replaceAll("(?ms)^```.*?^```$", "").replaceAll("(?m)^ {4}\\S.*$", "")
                .replaceAll("`[^`\n]*`", "");
        Matcher links = LINK.matcher(prose);
        return links.results().map((MatchResult link) -> link.group(1)).toList();
    }

    private static boolean hasTarget(Path file, String link) {
        if (REMOTE.matcher(link).matches()) {
            return true;
        }
        int hash = link.indexOf('#');
        Path target = hash == 0 ? file : file.getParent().resolve(hash < 0 ? link : link.substring(0, hash));
        return Files.exists(target) && (hash < 0 || anchors(text(target)).contains(link.substring(hash + 1)));
    }
}
