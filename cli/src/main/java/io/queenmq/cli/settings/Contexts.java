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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The contexts of a user and which one is in use, in a file that only the user can read, because tokens are in it. */
public final class Contexts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER_OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path file;
    private final Map<String, Context> all = new TreeMap<>();
    private String current;

    private Contexts(Path file) {
        this.file = file;
    }

    /** Those in the user's file; none when there is no file yet. */
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

    /** By name. */
    public Map<String, Context> all() {
        return all;
    }

    public Optional<Context> find(String name) {
        return Optional.ofNullable(all.get(name));
    }

    /** The one in use. */
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
            // Nothing was configured yet.
        } catch (IOException e) {
            throw new SettingsException("cannot read " + file + ": " + firstLine(e), e);
        }
    }

    private static Context context(String name, JsonNode json) {
        return new Context(name, json.path("url").asText(""), json.path("token").asText(null), new TlsOptions(
                json.path("caFile").asText(null), json.path("cert").asText(null), json.path("key").asText(null)));
    }

    private static void put(ObjectNode json, String name, String value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    /** Writes all to the file, in one step. */
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
            Path folder = file.getParent();
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder.getParent());
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_OWNER_ONLY));
            }
            // It never exists with more permissions than it should have, not even for a moment.
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
