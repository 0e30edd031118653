package io.queenmq.engine.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder of the file system. */
final class DiskFolder implements Folder {
    private static final Logger log = LoggerFactory.getLogger(DiskFolder.class);

    /** The maximum size of one read or write. The JDK keeps a direct buffer per thread as large as the largest one. */
    private static final int PIECE_BYTES = 128 << 10;

    private final Path path;

    /** Creates the folder if it does not exist. */
    DiskFolder(Path path) throws IOException {
        this.path = PrivateFiles.createFolder(path);
        syncFolder(path);
    }

    @Override
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
        }
    }

    @Override
    public Appender create(String name) throws IOException {
        FileChannel channel = PrivateFiles.open(path.resolve(name),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        try {
            syncFolder(path);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return new DiskAppender(channel);
    }

    /** Flushes a folder. A new file survives a crash only if its folder was flushed, too. */
    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public byte[] read(String name, long from) throws IOException {
        try (FileChannel channel = FileChannel.open(path.resolve(name), StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.max(0, channel.size() - from)));
            channel.position(from);
            while (bytes.position() < bytes.capacity()) {
                bytes.limit(Math.min(bytes.capacity(), bytes.position() + PIECE_BYTES));
                if (channel.read(bytes) < 0) {
                    throw new IOException(name + " was truncated while it was read");
                }
            }
            return bytes.array();
        }
    }

    @Override
    public void truncate(String name, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path.resolve(name), StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
            channel.force(true);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(path.resolve(name));
    }

    private record DiskAppender(FileChannel channel) implements Appender {
        @Override
        public void append(byte[] bytes) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.position() < bytes.length) {
                rest.limit(Math.min(bytes.length, rest.position() + PIECE_BYTES));
                channel.write(rest);
            }
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                log.warn("closing a spool file failed: {}", e.getMessage());
            }
        }
    }
}
