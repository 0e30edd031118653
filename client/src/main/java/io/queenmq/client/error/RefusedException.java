package io.queenmq.client.error;

/** The server rejected the request, and will reject it again. Nothing was changed. */
public final class RefusedException extends QueenException {
    private final int status;

    /** @param status the HTTP status of the response */
    public RefusedException(int status, String message) {
        super(message, null);
        this.status = status;
    }

    /** Returns the HTTP status of the response: 400 for an invalid request, 404 for a missing object. */
    public int status() {
        return status;
    }

    /** Returns true if the token is missing, invalid, or not authorized. */
    public boolean isAboutAccess() {
        return status == 401 || status == 403;
    }
}
