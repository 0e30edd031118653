package io.queenmq.engine.catalog;

/** What operators have switched off on all servers. */
public record Maintenance(boolean isPushOff, boolean isPopOff) {
    public static final Maintenance NONE = new Maintenance(false, false);
}
