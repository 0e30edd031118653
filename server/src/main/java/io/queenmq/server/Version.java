package io.queenmq.server;

/** The version of this server, as the build wrote it into the jar. */
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
