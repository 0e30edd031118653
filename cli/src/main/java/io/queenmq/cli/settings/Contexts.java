package io.queenmq.cli.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a user and the current one. They are stored in a file that only the user can read, because it contains
 * tokens.
 */
public final class Contexts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER_OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path file;
    private final Map<String, Context> all = new TreeMap<>();
    private @Nullable String current;

    private Contexts(Path file) {
        this.file = file;
    }

    /** Loads the contexts from the user's file. Empty if the file does not exist. */
    public static Contexts load(Map<String, String> environment) {
        Contexts contexts = new Contexts(file(environment));
        contexts.read();
        return contexts;
    }

    static Path file(Map<String, String> environment) {
        String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path folder = configured.isEmpty()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config")
                : Path.of(configured);
        return folder.resolve("queen").resolve("config.json");
    }

    public Path file() {
        return file;
    }

    /** Returns all contexts by name. */
    public Map<String, Context> all() {
        return all;
    }

    public Optional<Context> find(String name) {
        return Optional.ofNullable(all.get(name));
    }

    /** Returns the current context. */
    public Optional<Context> current() {
        return current == null ? Optional.empty() : find(current);
    }

    public void put(Context context) {
        all.put(context.name(), context);
        current = current == null ? context.name() : current;
    }

    public void use(String name) {
        current = name;
    }

    public void remove(String name) {
        all.remove(name);
        current = name.equals(current) ? null : current;
    }

    private void read() {
        try {
            JsonNode root = JSON.readTree(Files.readAllBytes(file));
            current = root.path("current").asText(null);
            root.path("contexts").properties()
                    .forEach(each -> all.put(each.getKey(), context(each.getKey(), each.getValue())));
        } catch (NoSuchFileException e) {
            // No context has been created yet.
        } catch (IOException e) {
            throw new SettingsException("cannot read " + file + ": " + firstLine(e), e);
        }
    }

    private static Context context(String name, JsonNode json) {
        return new Context(name, json.path("url").asText(""), json.path("token").asText(null), new TlsOptions(
                json.path("caFile").asText(null), json.path("cert").asText(null), json.path("key").asText(null)));
    }

    private static void put(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    /** Replaces the file atomically. */
    public void save() {
        ObjectNode root = JSON.createObjectNode();
        root.put("current", current);
        ObjectNode list = root.putObject("contexts");
        all.values().forEach(each -> {
            ObjectNode context = list.putObject(each.name()).put("url", each.url());
            put(context, "token", each.token());
            put(context, "caFile", each.tls().caFile());
            put(context, "cert", each.tls().certificate());
            put(context, "key", each.tls().key());
        });
        try {
            Path folder = Objects.requireNonNull(file.getParent());
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(Objects.requireNonNull(folder.getParent()));
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_OWNER_ONLY));
            }
            // The file is created with its final permissions, so that no other user can ever open it.
            Path fresh = Files.createTempFile(folder, "config", ".json",
                    PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            Files.write(fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new SettingsException("cannot write " + file + ": " + firstLine(e), e);
        }
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
    }
}
