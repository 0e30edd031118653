package io.queenmq.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;

/** Functions for directory trees. */
final class Trees {
    private Trees() {}

    static void delete(Path top) throws IOException {
        if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> deepestFirst;
        try (var paths = Files.walk(top)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (var path : deepestFirst) {
            Files.delete(path);
        }
    }

    /** Syncs {@code directory}, so that a rename in it survives a power failure. */
    static void sync(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
