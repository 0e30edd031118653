package io.queenmq.client.error;

/** The buffer is full and does not wait. The message was not accepted. */
public final class BufferFullException extends QueenException {
    public BufferFullException(String message) {
        super(message, null);
    }
}
