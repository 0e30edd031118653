package io.queenmq.engine.cluster;

/** Bytes that are no hint this server can read. */
public final class UnreadableHint extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean isOfOtherVersion;

    private UnreadableHint(String message, boolean isOfOtherVersion) {
        super(message);
        this.isOfOtherVersion = isOfOtherVersion;
    }

    static UnreadableHint malformed(String message) {
        return new UnreadableHint(message, false);
    }

    static UnreadableHint ofVersion(int version) {
        return new UnreadableHint("a hint of version " + version, true);
    }

    /** Whether it may be a good hint for servers of another release. */
    public boolean isOfOtherVersion() {
        return isOfOtherVersion;
    }
}
