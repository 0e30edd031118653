package io.queenmq.dashboard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Reads files from the jar or folder that contains this class. */
final class Files {
    private Files() {}

    /**
     * Returns all files below a folder by their path in it.
     *
     * @param folder ends with a slash
     * @param file the name of a file that the folder contains
     */
    static SortedMap<String, byte[]> read(String folder, String file) {
        URL root = Files.class.getClassLoader().getResource(folder + file);
        if (root == null) {
            throw new IllegalStateException(folder + file + " is missing from this build");
        }
        try {
            return root.openConnection() instanceof JarURLConnection jar
                    ? fromJar(jar, folder)
                    : fromFolder(Objects.requireNonNull(Path.of(URI.create(root.toURI().toString())).getParent()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SortedMap<String, byte[]> fromJar(JarURLConnection connection, String folder) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream().toList()) {
                if (!entry.isDirectory() && entry.getName().startsWith(folder)) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        files.put(entry.getName().substring(folder.length()), in.readAllBytes());
                    }
                }
            }
        }
        return files;
    }

    private static SortedMap<String, byte[]> fromFolder(Path folder) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = java.nio.file.Files.walk(folder)) {
            for (Path file : all.filter(java.nio.file.Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString().replace('\\', '/'),
                        java.nio.file.Files.readAllBytes(file));
            }
        }
        return files;
    }

    static String typeOf(String path) {
        return switch (path.substring(path.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "png" -> "image/png";
            case "json" -> "application/json";
            default -> "text/plain; charset=utf-8";
        };
    }

    /** Returns the compressed bytes; null if they are not fewer. */
    static byte @Nullable [] compressed(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.size() < bytes.length ? out.toByteArray() : null;
    }
}
