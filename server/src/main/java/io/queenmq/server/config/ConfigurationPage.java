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

                A secret (its range says so) can be read from a file instead: `NAME_FILE` names the file with the value of `NAME`, for
                example `PG_PASSWORD_FILE=/run/secrets/pg-password`. One line break at the end of the file is not part of the value.
                The start fails if both variables are set, or if the file is missing, empty, not readable, not UTF-8 or larger than 64 KB.
                A file that every user of the machine can access is warned about.

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
        String file = setting.isSecret()
                ? " `" + SecretFiles.variableOf(setting) + "` names a file to read it from."
                : "";
        return setting.meaning() + file + (older == null ? "" : " `" + older + "` is its older name.");
    }
}
