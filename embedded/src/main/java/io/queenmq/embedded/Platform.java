package io.queenmq.embedded;

import java.io.IOException;
import java.util.Locale;
import java.util.Properties;

/**
 * An operating system and a processor for which there are PostgreSQL binaries. They are chosen at run time, so the same
 * jar runs on all platforms.
 *
 * @param archive the name of the archive on the class path
 */
record Platform(String archive, String version) {
    /** Returns the platform of this JVM. */
    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String osName, String osArch) {
        var os = osName.toLowerCase(Locale.ROOT);
        var system = os.startsWith("mac") ? "darwin" : os.equals("linux") ? "linux" : os;
        var processor = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> osArch;
        };
        var archive = "postgres-" + system + "-" + processor + ".txz";
        var version = versions().getProperty(archive);
        if (version == null) {
            throw new EmbeddedPostgresException("Queen brings no PostgreSQL for " + osName + " on " + osArch
                    + ". Set PG_HOST to use an existing PostgreSQL server.");
        }
        return new Platform(archive, version);
    }

    private static Properties versions() {
        try (var in = Platform.class.getResourceAsStream("binaries.properties")) {
            var properties = new Properties();
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw new EmbeddedPostgresException("binaries.properties cannot be read", e);
        }
    }
}
