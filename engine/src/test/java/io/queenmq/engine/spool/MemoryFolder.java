package io.queenmq.engine.spool;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A folder that tracks which bytes survive a crash of the machine, and that can crash or fail at any step. Bytes that
 * were not flushed survive in part, at random.
 */
final class MemoryFolder implements Folder {
    /** The fault of a step. */
    enum Fault {
        CRASH_BEFORE,
        /** Half of the bytes are written. */
        CRASH_WITHIN,
        CRASH_AFTER,
        ERROR_BEFORE,
        /** An error is reported after half of the bytes were written. */
        ERROR_WITHIN
    }

    /** The process has crashed. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1;
    }

    private final TreeMap<String, Content> files = new TreeMap<>();
    private int steps;
    private int troubledStep = -1;
    private int troubledSteps;
    private Fault fault;
    private boolean isCrashed;
    private int freeBytes = Integer.MAX_VALUE;

    /** Sets a fault for a step, counted from now on. Returns true if the step exists. */
    void failAt(Fault kind, int step) {
        failAt(kind, step, 1);
    }

    /** Sets a fault for several steps. */
    void failAt(Fault kind, int step, int count) {
        fault = kind;
        troubledStep = steps + step;
        troubledSteps = count;
    }

    /** Makes each write of more bytes fail, like a disk that is nearly full. */
    void limit(int freeBytes) {
        this.freeBytes = freeBytes;
    }

    void heal() {
        troubledSteps = 0;
        freeBytes = Integer.MAX_VALUE;
    }

    int steps() {
        return steps;
    }

    /** The folder as another process finds it after the machine has crashed. */
    MemoryFolder afterCrash(RandomGenerator random) {
        MemoryFolder found = new MemoryFolder();
        files.forEach((name, content) -> {
            int kept = content.synced + (content.bytes.length > content.synced
                    ? random.nextInt(content.bytes.length - content.synced + 1)
                    : 0);
            found.files.put(name, new Content(Arrays.copyOf(content.bytes, kept), kept));
        });
        return found;
    }

    /** The folder as another process finds it after this one was killed: nothing that was written is lost. */
    MemoryFolder afterKill() {
        MemoryFolder found = new MemoryFolder();
        files.forEach((name, content) -> found.files.put(name, new Content(content.bytes, content.bytes.length)));
        return found;
    }

    byte[] content(String name) {
        return files.get(name).bytes;
    }

    void put(String name, byte[] bytes) {
        files.put(name, new Content(bytes, bytes.length));
    }

    private interface Step {
        void run(boolean isWhole) throws IOException;
    }

    private void step(Step step) throws IOException {
        if (isCrashed) {
            throw new Crash();
        }
        int number = steps++;
        boolean isFaultDue = number >= troubledStep && number < troubledStep + troubledSteps;
        switch (isFaultDue ? fault : null) {
            case null -> step.run(true);
            case CRASH_BEFORE -> crash();
            case CRASH_WITHIN -> {
                step.run(false);
                crash();
            }
            case CRASH_AFTER -> {
                step.run(true);
                crash();
            }
            case ERROR_BEFORE -> throw new IOException("No space left on device");
            case ERROR_WITHIN -> {
                step.run(false);
                throw new IOException("Input/output error");
            }
        }
    }

    private void crash() {
        isCrashed = true;
        throw new Crash();
    }

    @Override
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public Appender create(String name) throws IOException {
        step(_ -> {
            if (files.containsKey(name)) {
                throw new IOException(name + " exists");
            }
            files.put(name, new Content(new byte[0], 0));
        });
        return new MemoryAppender(name);
    }

    @Override
    public byte[] read(String name, long from) throws IOException {
        Content content = files.get(name);
        if (content == null) {
            throw new IOException(name + " does not exist");
        }
        return Arrays.copyOfRange(content.bytes, (int) Math.min(from, content.bytes.length), content.bytes.length);
    }

    @Override
    public void truncate(String name, long bytes) throws IOException {
        step(_ -> {
            byte[] kept = Arrays.copyOf(files.get(name).bytes, (int) bytes);
            files.put(name, new Content(kept, kept.length));
        });
    }

    @Override
    public void delete(String name) throws IOException {
        step(isWhole -> {
            if (isWhole) {
                files.remove(name);
            }
        });
    }

    private record Content(byte[] bytes, int synced) {}

    private final class MemoryAppender implements Appender {
        private final String name;

        MemoryAppender(String name) {
            this.name = name;
        }

        @Override
        public void append(byte[] bytes) throws IOException {
            if (bytes.length > freeBytes) {
                throw new IOException("No space left on device");
            }
            step(isWhole -> {
                Content before = files.get(name);
                int added = isWhole ? bytes.length : bytes.length / 2;
                byte[] after = Arrays.copyOf(before.bytes, before.bytes.length + added);
                System.arraycopy(bytes, 0, after, before.bytes.length, added);
                files.put(name, new Content(after, before.synced));
            });
        }

        @Override
        public void sync() throws IOException {
            step(isWhole -> {
                Content content = files.get(name);
                int synced = isWhole ? content.bytes.length : (content.synced + content.bytes.length) / 2;
                files.put(name, new Content(content.bytes, synced));
            });
        }

        @Override
        public void close() {
            // No file is open.
        }
    }
}
