package io.queenmq.engine.spool;

import java.util.concurrent.Executor;

/**
 * What an engine needs to have a spool: the files, and who works on them.
 *
 * @param files null when the spool is switched off
 * @param disk runs tasks one after the other, and may block
 */
public record SpoolPlace(SpoolStore files, Executor disk) {
    /** There is no spool. */
    public static final SpoolPlace NONE = new SpoolPlace(null, Runnable::run);
}
