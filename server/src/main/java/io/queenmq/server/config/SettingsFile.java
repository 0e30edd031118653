package io.queenmq.server.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file with settings, one {@code NAME=value} per line, under the names of the environment variables. A variable of the environment
 * overrides the setting of the file. No problem or warning quotes a value.
 */
final class SettingsFile {
    /** The variable with the path of the file. */
    static final String VARIABLE = "QUEEN_CONFIG";
    /** Read if the variable is not set and this file is in the working directory. */
    static final String DEFAULT = "queen.properties";

    private final Map<String, String> variables;
    private final Set<String> ofFile = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private @Nullable Path path;

    private SettingsFile(Map<String, String> environment) {
        this.variables = new HashMap<>(environment);
    }

    /** @param environment the environment variables */
    static SettingsFile read(Map<String, String> environment) {
        SettingsFile file = new SettingsFile(environment);
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isBlank()) {
            file.load(named, environment);
        } else if (Files.isRegularFile(Path.of(DEFAULT))) {
            file.load(DEFAULT, environment);
        }
        return file;
    }

    private void load(String name, Map<String, String> environment) {
        Properties properties = new Properties();
        try {
            Path found = Path.of(name);
            path = found;
            try (Reader reader = Files.newBufferedReader(found)) {
                properties.load(reader);
            }
            warnOfReaders(found, properties);
        } catch (IOException | InvalidPathException e) {
            problems.add(VARIABLE + " is " + name + ", which cannot be read: " + SecretFiles.reasonOf(e));
            return;
        } catch (IllegalArgumentException e) {
            problems.add(name + " contains an invalid escape: write \\\\ for a backslash");
            return;
        }
        for (String key : properties.stringPropertyNames().stream().sorted().toList()) {
            Setting setting = Environment.settingOf(key);
            if (setting == null) {
                problems.add(name + ": " + key
                        + " is not a setting of this server; `queen serve --help` lists all settings");
            } else if (Environment.namesOf(setting).stream()
                    .noneMatch(each -> !environment.getOrDefault(each, "").isBlank())) {
                variables.put(key, properties.getProperty(key));
                ofFile.add(key);
            }
        }
    }

    private void warnOfReaders(Path file, Properties properties) throws IOException {
        boolean hasSecret = properties.stringPropertyNames().stream().map(Environment::settingOf)
                .anyMatch(setting -> setting != null && setting.isSecret());
        if (hasSecret && file.getFileSystem().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
            warnings.add(file + " contains secrets, and every user of this machine can read it; use chmod 600 or 640");
        }
    }

    /** Returns the variables of the environment and of the file. */
    Map<String, String> variables() {
        return variables;
    }

    /** Returns the source of a variable, for operators. */
    String sourceOf(String variable) {
        return ofFile.contains(variable) ? String.valueOf(path) : "environment";
    }

    List<String> problems() {
        return problems;
    }

    List<String> warnings() {
        return warnings;
    }
}
