package io.queenmq.verify.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A build of the server: the one of the command, a jar file of another one, or the one of the command with another text of a
 * routine. PostgreSQL has a set of routines for each text, as for each release.
 *
 * @param path a jar file or a directory with files that replace those of the build; empty for the build of the command
 */
public record Release(String path) {
    /** The build of the command. */
    public static final Release NONE = new Release("");

    private static final String ROUTINE = "queen/schema/lease/lease.sql";
    private static final String CLASS_PATH = "-cp";
    private static final String JAR = "-jar";
    private static final String MAIN = "io.queenmq.server.Main";

    /** Returns a release whose routines have another name, because the text of one differs in a comment. */
    static Release derived(Path folder, String name) {
        try (InputStream text = Release.class.getClassLoader().getResourceAsStream(ROUTINE)) {
            if (text == null) {
                throw new SetupException(
                        "this build contains no " + ROUTINE + "; use --release with jar files of builds");
            }
            Path file = folder.resolve(name).resolve(ROUTINE);
            Files.createDirectories(file.getParent());
            Files.writeString(file,
                    new String(text.readAllBytes(), StandardCharsets.UTF_8) + "\n-- release " + name + "\n");
            return new Release(folder.resolve(name).toString());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a release to " + folder, e);
        }
    }

    /** Returns the command that starts a server of this release instead of the given one. */
    List<String> applyTo(List<String> command) {
        if (path.isEmpty()) {
            return command;
        }
        List<String> all = new ArrayList<>(command);
        int jar = all.indexOf(JAR);
        if (jar >= 0) {
            all.set(jar, CLASS_PATH);
            all.add(jar + 2, MAIN);
        }
        int value = all.indexOf(CLASS_PATH) + 1;
        all.set(value, path.endsWith(".jar") ? path : path + File.pathSeparator + all.get(value));
        return all;
    }
}
