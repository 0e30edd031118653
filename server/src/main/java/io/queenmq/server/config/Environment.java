package io.queenmq.server.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Environment variables as typed values. An invalid value is recorded as a problem and replaced by the default, so that all
 * problems are reported together. An empty value counts as not set.
 */
final class Environment {
    /** Prefixes of variables for this server or for the existing Queen server. Unknown ones cause a warning. */
    private static final List<String> PREFIXES = List.of("PG_", "DB_", "QUEEN_", "POP_WAIT_", "DEDUP_", "SIDECAR_",
            "JWT_", "OIDC_", "AUTH_", "AUDIT_", "TLS_", "FILE_BUFFER_", "SPOOL_");

    /** Read by the launcher only. */
    private static final String LAUNCHER_OPTIONS = "QUEEN_JAVA_OPTS";

    private final Map<String, String> variables;
    private final List<String> problems = new ArrayList<>();
    private final List<String> ofSources = new ArrayList<>();
    private final SecretFiles secretFiles;

    Environment(Map<String, String> variables) {
        this.variables = variables;
        this.secretFiles = SecretFiles.read(variables, problems);
    }

    String text(Setting setting) {
        String given = given(setting);
        if (given == null) {
            return setting.defaultValue();
        }
        if (!setting.allowed().accept(given)) {
            problem(nameOf(setting) + " must be " + setting.allowed().range() + ", but is '" + given + "'");
            return setting.defaultValue();
        }
        return given;
    }

    /** Returns null if the setting has neither a value nor a default. */
    @Nullable
    String textOrNull(Setting setting) {
        String text = text(setting);
        return text.isEmpty() ? null : text;
    }

    /** Returns the parts between commas, stripped, without empty ones. */
    List<String> list(Setting setting) {
        return Arrays.stream(text(setting).split(",")).map(String::strip).filter(part -> !part.isEmpty()).toList();
    }

    boolean flag(Setting setting) {
        return text(setting).equals("true");
    }

    boolean flag(Setting setting, boolean defaultValue) {
        String text = text(setting);
        return text.isEmpty() ? defaultValue : text.equals("true");
    }

    int integer(Setting setting) {
        return Math.toIntExact(whole(setting));
    }

    int integer(Setting setting, int defaultValue) {
        String text = text(setting);
        return text.isEmpty() ? defaultValue : Integer.parseInt(text);
    }

    long whole(Setting setting) {
        return Long.parseLong(text(setting));
    }

    long whole(Setting setting, long defaultValue) {
        String text = text(setting);
        return text.isEmpty() ? defaultValue : Long.parseLong(text);
    }

    double decimal(Setting setting) {
        return Double.parseDouble(text(setting));
    }

    Duration millis(Setting setting) {
        return Duration.ofMillis(whole(setting));
    }

    Duration seconds(Setting setting) {
        return Duration.ofSeconds(whole(setting));
    }

    void problem(String text) {
        problems.add(text);
    }

    /** Adds a warning about the source of settings. */
    void warn(String text) {
        ofSources.add(text);
    }

    List<String> problems() {
        return problems;
    }

    /** Returns settings that are valid but probably wrong, as sentences. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>(ofSources);
        warnings.addAll(secretFiles.warnings());
        Set<String> known = knownNames();
        for (String name : variables.keySet().stream().sorted().toList()) {
            if (PREFIXES.stream().anyMatch(name::startsWith) && !known.contains(name)) {
                warnings.add(name + " is not a setting of this server and has no effect");
            }
        }
        for (Setting setting : Setting.values()) {
            String given = given(setting);
            if (setting.allowed() instanceof Values.Flag && given != null && !given.equals("true")
                    && !given.equals("false")) {
                warnings.add(setting + " is '" + given + "', which counts as false: only 'true' is true");
            }
        }
        return warnings;
    }

    private @Nullable String given(Setting setting) {
        String value = secretFiles.valueOf(setting, variables.get(nameOf(setting)));
        if (value == null || value.isBlank()) {
            return null;
        }
        // A password may begin or end with a space.
        return setting.allowed() instanceof Values.Text || setting.isSecret() ? value : value.strip();
    }

    private String nameOf(Setting setting) {
        String older = setting.olderName();
        return older != null && !variables.containsKey(setting.name()) && variables.containsKey(older)
                ? older
                : setting.name();
    }

    private static Set<String> knownNames() {
        Set<String> names = new HashSet<>(Set.of(LAUNCHER_OPTIONS, SettingsFile.VARIABLE));
        Arrays.stream(Setting.values()).forEach(setting -> names.addAll(namesOf(setting)));
        return names;
    }

    /** Returns the names of all variables that set the setting; the current name is the first. */
    static List<String> namesOf(Setting setting) {
        List<String> names = new ArrayList<>(List.of(setting.name()));
        if (setting.isSecret()) {
            names.add(SecretFiles.variableOf(setting));
        }
        if (setting.olderName() != null) {
            names.add(setting.olderName());
        }
        return names;
    }

    /** Returns the setting that the variable sets; null if there is none. */
    static @Nullable Setting settingOf(String variable) {
        return Arrays.stream(Setting.values()).filter(setting -> namesOf(setting).contains(variable)).findFirst()
                .orElse(null);
    }
}
