package io.queenmq.engine.spool;

import java.io.IOException;
import java.util.List;

/**
 * The file system as the spool uses it: a folder of append-only files. Tests put another one in its place, which crashes,
 * fails or tears what is written. Owned by whoever owns the {@link SpoolLog} in it.
 */
interface Folder {
    /** The names of the files in it, in no particular order. */
    List<String> names() throws IOException;

    /** A new file, whose name survives a crash from now on. */
    Appender create(String name) throws IOException;

    /** What is in a file from this byte on. */
    byte[] read(String name, long from) throws IOException;

    /** Shortens a file to so many bytes, for good. */
    void truncate(String name, long bytes) throws IOException;

    /** Deletes a file if it is there; a crash may bring it back. */
    void delete(String name) throws IOException;

    /** A file that is written to. */
    interface Appender {
        void append(byte[] bytes) throws IOException;

        /** Returns when all that was appended survives a crash of the machine. */
        void sync() throws IOException;

        /** Never fails: what matters was synced before. */
        void close();
    }
}
