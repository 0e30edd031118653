package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** One SQL file of this release: its path below {@code queen/schema}, and its text. */
record Script(String path, String text) {
    private static final String ROOT = "/queen/schema/";
    private static final String INDEX = "index.txt";

    /** Returns every file in the order of the index, because a jar cannot be listed. */
    static List<Script> all() {
        return read(INDEX).lines().map(path -> new Script(path, read(path))).toList();
    }

    boolean isIn(String folder) {
        return path.startsWith(folder + "/");
    }

    /** Returns true if the file creates a routine: it is in the directory of a feature. */
    boolean isRoutine() {
        return !isIn("migrations") && !isIn("inline") && !isIn("views");
    }

    /** Returns true if only other routines call the routine. */
    boolean isInternal() {
        return path.contains("/internal/");
    }

    /** Returns true if the routine is called for operators, on connections that plan each call. */
    boolean isForOperators() {
        return isIn("operator") && !isInternal() || path.contains("/operator/");
    }

    /** Returns the name of the file without its directory and its extension. */
    String name() {
        return path.substring(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
    }

    private static String read(String path) {
        try (var in = Script.class.getResourceAsStream(ROOT + path)) {
            if (in == null) {
                throw new SchemaException("this build of Queen is incomplete: it has no " + ROOT + path);
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
