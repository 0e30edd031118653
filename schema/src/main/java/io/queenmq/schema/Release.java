package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/**
 * The migrations and routines of one release.
 *
 * @param migrations ascending by number; each number once
 */
record Release(List<Migration> migrations, RoutineSet routines) {
    private static final String COMMIT = "/queen/commit.txt";

    Release {
        migrations = List.copyOf(migrations);
        for (int i = 1; i < migrations.size(); i++) {
            if (migrations.get(i - 1).number() >= migrations.get(i).number()) {
                throw new IllegalArgumentException("migrations must be listed ascending by number, each number once: "
                        + migrations.get(i - 1).name() + " precedes " + migrations.get(i).name());
            }
        }
    }

    /** Returns the version and the commit that the build wrote into the jar, such as {@code 0.1.0+6afaee5a}. */
    static String version() {
        var version = Release.class.getPackage().getImplementationVersion();
        var commit = commit();
        if (version == null) {
            return "unpackaged";
        }
        // The commit is more precise than the name of a snapshot.
        return commit.isEmpty() ? version : version.replace("-SNAPSHOT", "") + "+" + commit;
    }

    /** Returns an empty text if the build had no Git repository. */
    private static String commit() {
        try (var file = Release.class.getResourceAsStream(COMMIT)) {
            return file == null ? "" : new String(file.readAllBytes(), UTF_8).strip();
        } catch (IOException _) {
            return "";
        }
    }

    Migration newest() {
        return migrations.getLast();
    }

    /** Loads this release from its resources. */
    static Release load() {
        return from(Script.all());
    }

    static Release from(List<Script> scripts) {
        var migrations = scripts.stream().filter(script -> script.isIn("migrations")).map(Migration::from).toList();
        var routines = scripts.stream().filter(script -> !script.isIn("migrations")).toList();
        return new Release(migrations, RoutineSet.from(routines));
    }
}
