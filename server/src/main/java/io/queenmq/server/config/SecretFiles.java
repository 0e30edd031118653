package io.queenmq.server.config;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of secret settings from files: <code>NAME_FILE</code> names the file with the value of
 * <code>NAME</code>. No problem or warning quotes the content of a file.
 */
final class SecretFiles {
    private static final String SUFFIX = "_FILE";
    private static final long BYTES_MAX = 65_536;

    private final Map<Setting, String> values = new EnumMap<>(Setting.class);
    private final List<String> warnings = new ArrayList<>();

    private SecretFiles() {}

    /** @param problems where each file that cannot be used is reported */
    static SecretFiles read(Map<String, String> variables, List<String> problems) {
        SecretFiles files = new SecretFiles();
        for (Setting setting : Setting.values()) {
            String path = setting.isSecret() ? variables.get(variableOf(setting)) : null;
            if (path == null || path.isBlank()) {
                continue;
            }
            String direct = variables.get(setting.name());
            if (direct != null && !direct.isBlank()) {
                problems.add(setting + " and " + variableOf(setting) + " are both set; set one of them");
            } else {
                files.readInto(setting, path.strip(), problems);
            }
        }
        return files;
    }

    /** Returns the name of the variable with the path of the file of a secret. */
    static String variableOf(Setting setting) {
        return setting.name() + SUFFIX;
    }

    /** Returns the value from the file of the setting, or the given value if the setting has no file. */
    @Nullable
    String valueOf(Setting setting, @Nullable String given) {
        return values.getOrDefault(setting, given);
    }

    List<String> warnings() {
        return warnings;
    }

    private void readInto(Setting setting, String path, List<String> problems) {
        String name = variableOf(setting);
        try {
            Path file = Path.of(path);
            if (Files.isDirectory(file)) {
                problems.add(name + " is " + path + ", which is a folder; name a file");
                return;
            }
            if (Files.size(file) > BYTES_MAX) {
                problems.add(
                        name + " is " + path + ", which has more than " + BYTES_MAX + " bytes; it cannot be a secret");
                return;
            }
            String value = withoutLineBreak(Files.readString(file));
            if (value.isBlank()) {
                problems.add(name + " is " + path + ", which is empty; write the value of " + setting + " to it");
                return;
            }
            values.put(setting, value);
            warnOfReaders(name, path, file);
        } catch (IOException | InvalidPathException e) {
            problems.add(name + " is " + path + ", which cannot be read: " + reasonOf(e));
        }
    }

    /** Editors and `echo` end a file with a line break, which is no part of the value. */
    private static String withoutLineBreak(String text) {
        String value = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return value.endsWith("\r") ? value.substring(0, value.length() - 1) : value;
    }

    private void warnOfReaders(String name, String path, Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            warnings.add(name + " is " + path + ", which every user of this machine can access; use chmod 600 or 640");
        }
    }

    static String reasonOf(Exception e) {
        return switch (e) {
            case NoSuchFileException _ -> "the file does not exist";
            case AccessDeniedException _ -> "the user of this process has no permission";
            case MalformedInputException _ -> "it is not UTF-8 text";
            default -> e.getClass().getSimpleName();
        };
    }
}
