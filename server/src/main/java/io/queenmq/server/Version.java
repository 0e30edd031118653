package io.queenmq.server;

/** The version of this server, which the build writes into the manifest of the jar. */
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
