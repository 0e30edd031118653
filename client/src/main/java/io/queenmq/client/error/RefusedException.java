package io.queenmq.client.error;

/** The server understood the request and will not carry it out, however often it is asked. Nothing was changed. */
public final class RefusedException extends QueenException {
    private final int status;

    /** @param status the HTTP status of the answer */
    public RefusedException(int status, String message) {
        super(message, null);
        this.status = status;
    }

    /** The HTTP status of the answer: 400 for a mistake in the request, 404 for something that is not there. */
    public int status() {
        return status;
    }

    /** Whether the token is missing, invalid, or does not allow this. */
    public boolean isAboutAccess() {
        return status == 401 || status == 403;
    }
}
