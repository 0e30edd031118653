package io.queenmq.schema;

import java.util.ArrayList;

/** Later releases: this one with one more script. */
final class NextRelease {
    private NextRelease() {}

    static Release withMigration(String name, String sql) {
        return with("migrations/%04d_%s.sql".formatted(Release.load().newest().number() + 1, name), sql);
    }

    static Release with(String path, String sql) {
        var scripts = new ArrayList<>(Script.all());
        scripts.add(new Script(path, sql));
        return Release.from(scripts);
    }
}
