/**
 * API keys: loads those in force from the database twice a second, checks what callers send against them, records their last
 * use, and installs the first one. Reads and writes through the routines for operators; requests are checked in memory.
 */
@NullMarked
package io.queenmq.server.keys;

import org.jspecify.annotations.NullMarked;
