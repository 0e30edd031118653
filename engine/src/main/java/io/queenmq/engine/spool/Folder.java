package io.queenmq.engine.spool;

import java.io.IOException;
import java.util.List;

/**
 * A folder of append-only files, which the spool uses as its file system. Tests replace it with one that crashes, fails
 * or tears writes. Owned by the owner of its {@link SpoolLog}.
 */
interface Folder {
    /** Returns the names of its files, in no particular order. */
    List<String> names() throws IOException;

    /** Creates a file. When the method returns, the name of the file survives a crash. */
    Appender create(String name) throws IOException;

    /** Returns the content of a file from this byte on. */
    byte[] read(String name, long from) throws IOException;

    /** Truncates a file to this length, and flushes the change. */
    void truncate(String name, long bytes) throws IOException;

    /** Deletes a file if it exists. The deletion may be undone by a crash. */
    void delete(String name) throws IOException;

    /** A file that is open for appending. */
    interface Appender {
        void append(byte[] bytes) throws IOException;

        /** Flushes the file. When the method returns, all appended bytes survive a crash of the machine. */
        void sync() throws IOException;

        /** Closes the file. Never fails; important data was flushed before. */
        void close();
    }
}
