package io.queenmq.engine.spool;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The files of the spool, and the executor of the thread that owns them.
 *
 * @param files null if the spool is switched off
 * @param disk runs tasks one after the other; they may block
 */
public record SpoolResources(@Nullable SpoolStore files, Executor disk) {
    /** No spool. */
    public static final SpoolResources NONE = new SpoolResources(null, Runnable::run);
}
