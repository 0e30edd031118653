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

/** A folder on a disk. */
final class DiskFolder implements Folder {
    private static final Logger log = LoggerFactory.getLogger(DiskFolder.class);

    /** The JDK keeps a copy outside of the heap of what is read or written at once, as large as it ever was. */
    private static final int PIECE_BYTES = 128 << 10;

    private final Path path;

    /** Creates the folder if need be. */
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

    /** A new file is there after a crash only if its folder was flushed, too. */
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
                    throw new IOException(name + " became shorter while it was read");
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
                log.warn("a file of the spool did not close cleanly: {}", e.getMessage());
            }
        }
    }
}
