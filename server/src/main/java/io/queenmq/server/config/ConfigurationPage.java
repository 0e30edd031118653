package io.queenmq.server.config;

/** Generates {@code docs/reference/configuration.md}, the list of all settings. A test compares it with the committed page. */
final class ConfigurationPage {
    private ConfigurationPage() {}

    static String text() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                Queen is configured by environment variables, read once at startup. An empty value counts as not set.
                The server does not start with an invalid value, and reports all invalid values together. Variables that look like
                settings, but are not, cause a warning.

                The settings can be in a file, too, one `NAME=value` per line: `QUEEN_CONFIG` is its path, or \
                `queen serve --config FILE`; otherwise
                `queen.properties` in the working directory is read if it exists. A variable of the environment overrides the file. \
                An unknown name in the
                file is an error. `queen config` prints the value and the source of each setting, without secrets, and \
                `queen serve --help` describes all
                settings.

                A secret (see its range) can be read from a file instead: \
                `NAME_FILE` is the path of the file with the value of `NAME`, for
                example `PG_PASSWORD_FILE=/run/secrets/pg-password`. \
                One line break at the end of the file is not part of the value.
                The server does not start if both variables are set, \
                or if the file is missing, empty, not readable, not UTF-8 or larger than 64 KB.
                A file that every user of the machine can access causes a warning.

                | variable | default | range | description |
                |---|---|---|---|
                """);
        for (Setting setting : Setting.values()) {
            page.append("| `%s` | %s | %s | %s |\n".formatted(setting, defaultValue(setting), setting.allowed().range(),
                    meaning(setting)));
        }
        return page.append("""

                `QUEEN_JAVA_OPTS` is read by the launcher: more options for the JVM, such as `-Xmx1g`.
                """).toString();
    }

    private static String defaultValue(Setting setting) {
        return setting.defaultValue().isEmpty() ? "–" : "`" + setting.defaultValue() + "`";
    }

    static String meaning(Setting setting) {
        String older = setting.olderName();
        String file = setting.isSecret()
                ? " `" + SecretFiles.variableOf(setting) + "` is the path of a file with the value."
                : "";
        return setting.description() + file + (older == null ? "" : " `" + older + "` is its former name.");
    }
}
