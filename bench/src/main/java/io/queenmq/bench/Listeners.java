package io.queenmq.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Finds the process that listens on a port of this machine. Works on Linux for own processes, or as root. */
final class Listeners {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final int ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENING = "0A";

    private Listeners() {}

    /**
     * @param program required name of the process, because a proxy of containers may listen instead
     */
    static OptionalLong find(InetAddress host, int port, String program) {
        if (!isLocal(host)) {
            return OptionalLong.empty();
        }
        Set<String> sockets = socketsOn(port);
        return ProcessHandle.allProcesses().mapToLong(ProcessHandle::pid)
                .filter(pid -> programOf(pid).equals(program) && hasOneOf(sockets, pid))
                // A child inherits the sockets of its parent and has a higher id.
                .min();
    }

    /** Returns the name of the program of a process, or an empty text if unknown. */
    static String programOf(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "comm")).strip();
        } catch (IOException _) {
            return "";
        }
    }

    private static boolean isLocal(InetAddress host) {
        try {
            return host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null;
        } catch (SocketException _) {
            return false;
        }
    }

    private static Set<String> socketsOn(int port) {
        Set<String> sockets = new HashSet<>();
        String suffix = String.format(":%04X", port);
        for (Path table : TABLES) {
            try (var lines = Files.lines(table)) {
                lines.map(line -> line.strip().split("\\s+"))
                        .filter(fields -> fields.length > INODE && fields[ADDRESS].endsWith(suffix)
                                && fields[STATE].equals(LISTENING))
                        .forEach(fields -> sockets.add("socket:[" + fields[INODE] + "]"));
            } catch (IOException _) {
                // Not Linux, or no IPv6.
            }
        }
        return sockets;
    }

    private static boolean hasOneOf(Set<String> sockets, long pid) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path file : files) {
                if (sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException _) {
            // The process has ended or belongs to another user.
        }
        return false;
    }
}
