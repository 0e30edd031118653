package io.queenmq.server.config;

/** The page that lists all settings for people. The committed page is this text; a test holds the two together. */
final class ConfigurationPage {
    private ConfigurationPage() {}

    static String text() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                Queen is configured by environment variables, read once at the start. An empty value counts as none.
                A value out of range stops the start, and all such values are named together. Variables that look like
                settings but are none are warned about.

                | variable | default | range | meaning |
                |---|---|---|---|
                """);
        for (Setting setting : Setting.values()) {
            page.append("| `%s` | %s | %s | %s |\n".formatted(setting, standard(setting), setting.allowed().range(),
                    meaning(setting)));
        }
        return page.append("""

                `QUEEN_JAVA_OPTS` is obeyed by the launcher `./queen`: more options for the JVM, such as `-Xmx1g`.
                """).toString();
    }

    private static String standard(Setting setting) {
        return setting.standard().isEmpty() ? "–" : "`" + setting.standard() + "`";
    }

    private static String meaning(Setting setting) {
        String older = setting.olderName();
        return older == null ? setting.meaning() : setting.meaning() + " `" + older + "` is its older name.";
    }
}
