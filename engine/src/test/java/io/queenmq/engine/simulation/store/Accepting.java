package io.queenmq.engine.simulation.store;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** Routines acceptances and find_hashes. */
final class Accepting {
    private final Database database;

    Accepting(Database database) {
        this.database = database;
    }

    Answer acceptances(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        Long[] offsets = arguments.longs("message_offsets");
        Answer answer = new Answer(Signature.of("acceptances").columns());
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            Segment segment = partition == null ? null : partition.segmentAt(offsets[i]);
            if (segment != null && offsets[i] < segment.end()) {
                answer.add(i + 1, Moments.of(segment.acceptedAt(offsets[i])),
                        Moments.of(Moments.pushedAt(database.now(), partition.lastPushAt())));
            }
        }
        return answer;
    }

    Answer findHashes(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        Answer answer = new Answer(Signature.of("find_hashes").columns());
        for (int i = 0; i < ids.length; i++) {
            Partition partition = database.partitions.find(ids[i]);
            if (partition != null) {
                find(answer, i + 1, partition, arguments.longs("first_offsets")[i],
                        Moments.micros(arguments.moments("created_after")[i]), arguments.bytes("hashes")[i]);
            }
        }
        return answer;
    }

    private static void find(Answer answer, int index, Partition partition, long firstOffset, long createdAfter,
            byte[] hashes) {
        Set<String> wanted = new HashSet<>();
        for (int i = 0; i < hashes.length; i += Long.BYTES) {
            wanted.add(Arrays.toString(Arrays.copyOfRange(hashes, i, i + Long.BYTES)));
        }
        for (Segment segment : partition.segments()) {
            for (int i = 0; i < segment.count(); i++) {
                byte[] hash = Arrays.copyOfRange(segment.hashes(), Long.BYTES * i, Long.BYTES * (i + 1));
                long offset = segment.base() + i;
                if (offset >= firstOffset && segment.createdAt() > createdAfter
                        && wanted.contains(Arrays.toString(hash))) {
                    answer.add(index, offset, Answer.buffer(hash), Moments.of(segment.acceptedAt(offset)));
                }
            }
        }
    }
}
