package io.queenmq.engine.cluster;

/** Thrown if bytes are not a hint that this server can decode. */
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

    /** Returns true if servers of another release may be able to decode the hint. */
    public boolean isOfOtherVersion() {
        return isOfOtherVersion;
    }
}
