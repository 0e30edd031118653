package io.queenmq.engine.catalog;

/** The operations that operators have switched off on all servers. */
public record Maintenance(boolean isPushOff, boolean isPopOff) {
    public static final Maintenance NONE = new Maintenance(false, false);
}
