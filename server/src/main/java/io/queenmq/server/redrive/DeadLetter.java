package io.queenmq.server.redrive;

import io.queenmq.engine.cipher.MessagePosition;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.partition.StoredLine;
import io.queenmq.server.operator.PayloadView;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter that a redrive has claimed, and its target.
 *
 * @param line the message as it is stored, without a line break
 */
record DeadLetter(UUID redriveId, Key key, OffsetDateTime failedAt, @Nullable String transactionId, byte[] line,
        Target target) {

    /**
     * The target of a dead letter.
     *
     * @param queueId null when the queue does not exist
     * @param partitionId null when the queue does not exist
     * @param isEncrypted true if the queue stores messages encrypted, as of the epoch
     * @param isBinding true if every server decrypts messages that are bound to their partition
     */
    record Target(@Nullable UUID queueId, String queue, String partition, @Nullable UUID partitionId,
            boolean isEncrypted, boolean isBinding, long encryptionEpoch) {}

    /** Identifies a dead letter. */
    record Key(UUID partitionId, String group, long offset) {}

    /**
     * The line of the new message, with its line break: it has a new id and the same transactionId, and is encrypted if the
     * target queue is.
     *
     * @throws RuntimeException when the dead letter cannot be opened, or not be encrypted
     */
    byte[] lineToStore(UUID id, PayloadView payloads, PayloadCipher cipher) {
        Objects.requireNonNull(transactionId, "it has no transactionId");
        byte[] clear = StoredLine.withMessageId(payloads.opened(line, key.partitionId, key.offset), id);
        // The offset is unknown here, because PostgreSQL assigns it when it moves the dead letter.
        MessagePosition place = target.isBinding && target.partitionId != null
                ? new MessagePosition(target.partitionId, MessagePosition.UNKNOWN_OFFSET)
                : null;
        return target.isEncrypted ? cipher.encrypt(clear, place) : clear;
    }
}
