package io.queenmq.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The groups of links in the section "Documentation" of the README, as a menu. */
final class DocumentNavigation {
    private static final Pattern SECTION = Pattern.compile("## Documentation\n(.*?)(?:\n\n[^-\\s]|\\z)",
            Pattern.DOTALL);
    private static final Pattern GROUP = Pattern.compile("- \\*\\*(.*?)\\*\\*:(.*?)(?=\n- \\*\\*|\\z)", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\(([^)]+)\\)");

    private DocumentNavigation() {}

    record Group(String name, List<Item> items) {}

    record Item(String name, String address) {}

    static List<Group> of(String readme, DocumentPaths paths) {
        List<Group> groups = new ArrayList<>();
        Matcher section = SECTION.matcher(readme);
        if (!section.find()) {
            throw new IllegalStateException("README.md has no section Documentation");
        }
        Matcher group = GROUP.matcher(section.group(1));
        while (group.find()) {
            List<Item> items = new ArrayList<>();
            Matcher link = LINK.matcher(group.group(2));
            while (link.find()) {
                String address = paths.resolve("README.md", link.group(2));
                items.add(new Item(capitalized(link.group(1).replaceAll("\\s+", " ")),
                        Objects.requireNonNull(address, link.group(2))));
            }
            groups.add(new Group(group.group(1), items));
        }
        return groups;
    }

    private static String capitalized(String name) {
        String plain = name.startsWith("the ") ? name.substring("the ".length()) : name;
        return plain.substring(0, 1).toUpperCase(Locale.ROOT) + plain.substring(1);
    }
}
