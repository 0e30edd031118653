package io.queenmq.client.error;

/** A buffer that was told not to make anybody wait has no room: the message was not taken. */
public final class BufferFullException extends QueenException {
    public BufferFullException(String message) {
        super(message, null);
    }
}
