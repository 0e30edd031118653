package io.queenmq.engine.cluster;

import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.CatalogChange;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Heartbeat;
import io.queenmq.engine.cluster.Hint.HeartbeatReply;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.IntroductionRequest;
import io.queenmq.engine.cluster.Hint.PartitionEvents;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Encodes and decodes hints. The first byte is the version. Every change of the format must increment it, so that servers of two
 * releases ignore each other's hints instead of misreading them. Decoding allocates at most a small multiple of
 * the given bytes, whatever they contain. Safe from any thread.
 */
public final class HintCodec {
    static final byte VERSION = 1;

    private static final byte INTRODUCTION = 1;
    private static final byte INTRODUCTION_REQUEST = 2;
    private static final byte HEARTBEAT = 3;
    private static final byte HEARTBEAT_REPLY = 4;
    private static final byte PARTITION_EVENTS = 5;
    private static final byte ARRIVAL = 6;
    private static final byte CATALOG_CHANGE = 7;

    private HintCodec() {}

    public static byte[] encode(Hint hint) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            write(hint, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(Hint hint, DataOutputStream out) throws IOException {
        switch (hint) {
            case Introduction introduction -> {
                out.writeByte(INTRODUCTION);
                out.writeLong(introduction.edition());
                writeText(introduction.name(), out);
                writeText(introduction.version(), out);
                out.writeLong(introduction.startedAtMs());
                out.writeBoolean(introduction.isEverything());
                out.writeInt(introduction.queues().size());
                for (String queue : introduction.queues()) {
                    writeText(queue, out);
                }
                out.writeBoolean(introduction.isLeaving());
            }
            case IntroductionRequest() -> out.writeByte(INTRODUCTION_REQUEST);
            case Heartbeat(var edition, var sentNs) -> {
                out.writeByte(HEARTBEAT);
                out.writeLong(edition);
                out.writeLong(sentNs);
            }
            case HeartbeatReply(var sentNs) -> {
                out.writeByte(HEARTBEAT_REPLY);
                out.writeLong(sentNs);
            }
            case PartitionEvents(var pushed, var freed) -> {
                out.writeByte(PARTITION_EVENTS);
                out.writeInt(pushed.size());
                for (PushedQueue queue : pushed) {
                    write(queue, out);
                }
                out.writeInt(freed.size());
                for (FreePartition partition : freed) {
                    writeId(partition.partitionId(), out);
                    writeText(partition.group(), out);
                }
            }
            case Arrival(var queue, var partition) -> {
                out.writeByte(ARRIVAL);
                writeText(queue, out);
                out.writeBoolean(partition != null);
                if (partition != null) {
                    writeText(partition, out);
                }
            }
            case CatalogChange() -> out.writeByte(CATALOG_CHANGE);
        }
    }

    private static void write(PushedQueue queue, DataOutputStream out) throws IOException {
        writeText(queue.queue(), out);
        writeId(queue.queueId(), out);
        out.writeInt(queue.partitions().size());
        for (PartitionHead partition : queue.partitions()) {
            writeText(partition.partition(), out);
            out.writeLong(partition.head());
        }
    }

    private static void writeText(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void writeId(UUID id, DataOutputStream out) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    /** @throws UnreadableHint if the bytes are not a hint of this version; no other exception is thrown */
    public static Hint decode(byte[] bytes) throws UnreadableHint {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw UnreadableHint.ofVersion(version);
            }
            Hint hint = read(in);
            if (in.hasRemaining()) {
                throw UnreadableHint.malformed("bytes after the end of a hint");
            }
            return hint;
        } catch (BufferUnderflowException _) {
            throw UnreadableHint.malformed("a truncated hint");
        }
    }

    private static Hint read(ByteBuffer in) throws UnreadableHint {
        byte type = in.get();
        return switch (type) {
            case INTRODUCTION -> new Introduction(in.getLong(), readText(in), readText(in), in.getLong(), readFlag(in),
                    readTexts(in), readFlag(in));
            case INTRODUCTION_REQUEST -> new IntroductionRequest();
            case HEARTBEAT -> new Heartbeat(in.getLong(), in.getLong());
            case HEARTBEAT_REPLY -> new HeartbeatReply(in.getLong());
            case PARTITION_EVENTS -> {
                List<PushedQueue> pushed = new ArrayList<>();
                for (int left = readCount(in); left > 0; left--) {
                    pushed.add(readPushed(in));
                }
                List<FreePartition> freed = new ArrayList<>();
                for (int left = readCount(in); left > 0; left--) {
                    freed.add(new FreePartition(readId(in), readText(in)));
                }
                yield new PartitionEvents(pushed, freed);
            }
            case ARRIVAL -> new Arrival(readText(in), readFlag(in) ? readText(in) : null);
            case CATALOG_CHANGE -> new CatalogChange();
            default -> throw UnreadableHint.malformed("a hint of type " + type);
        };
    }

    private static PushedQueue readPushed(ByteBuffer in) throws UnreadableHint {
        String queue = readText(in);
        UUID queueId = readId(in);
        List<PartitionHead> partitions = new ArrayList<>();
        for (int left = readCount(in); left > 0; left--) {
            partitions.add(new PartitionHead(readText(in), in.getLong()));
        }
        return new PushedQueue(queue, queueId, partitions);
    }

    private static Set<String> readTexts(ByteBuffer in) throws UnreadableHint {
        Set<String> texts = new HashSet<>();
        for (int left = readCount(in); left > 0; left--) {
            texts.add(readText(in));
        }
        return texts;
    }

    private static int readCount(ByteBuffer in) throws UnreadableHint {
        int count = in.getInt();
        // Each counted element has at least one byte.
        if (count < 0 || count > in.remaining()) {
            throw UnreadableHint
                    .malformed("a hint with the count " + count + " and " + in.remaining() + " remaining bytes");
        }
        return count;
    }

    private static String readText(ByteBuffer in) throws UnreadableHint {
        int length = readCount(in);
        ByteBuffer bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException _) {
            throw UnreadableHint.malformed("a hint with a text that is not UTF-8");
        }
    }

    private static boolean readFlag(ByteBuffer in) throws UnreadableHint {
        byte flag = in.get();
        if (flag != 0 && flag != 1) {
            throw UnreadableHint.malformed("a hint with the flag " + flag);
        }
        return flag == 1;
    }

    private static UUID readId(ByteBuffer in) {
        return new UUID(in.getLong(), in.getLong());
    }
}
