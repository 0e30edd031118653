package io.queenmq.server.http.json;

/** The request is wrong and is answered 400 as a whole; nothing of it was done. The message is for the client. */
public final class BadRequest extends RuntimeException {
    public BadRequest(String message) {
        // Clients send wrong requests as often as they like; a stack trace for each is of use to nobody.
        super(message, null, false, false);
    }

    /** The same problem seen from further outside: {@code queue must be …} in {@code items[3]}. */
    public BadRequest within(String path) {
        return new BadRequest(path + "." + getMessage());
    }
}
