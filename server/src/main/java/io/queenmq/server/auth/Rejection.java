package io.queenmq.server.auth;

import java.util.Locale;

/** The reasons for which a request is not allowed. Metrics, log lines and audit records use the same labels. */
public enum Rejection {
    NO_TOKEN("a token is needed, or an API key, in the header Authorization: Bearer …"),
    MALFORMED("the token is not a JSON Web Token"),
    ALGORITHM("tokens signed in this way are not accepted"),
    SIGNATURE("the token's signature is wrong"),
    UNKNOWN_KEY("the token is signed with an unknown key"),
    SUBJECT("sub of the token must be a string of at most 255 characters without control characters"),
    NO_EXPIRY("the token has no exp; issue tokens that expire"),
    EXPIRED("the token has expired"),
    NOT_YET_VALID("the token is not valid yet"),
    ISSUER("the token was issued by another issuer"),
    AUDIENCE("the token is for another audience"),
    REVOKED("the token was revoked"),
    RIGHTS("the rights of the token are malformed; use a list of entries such as push:orders"),
    API_KEY("the API key is unknown, revoked or expired"),
    BLOCKED("too many tokens from this address were rejected; try again later"),
    UNAVAILABLE("tokens cannot be verified now; try again later"),
    FORBIDDEN("the token does not allow this");

    private final String message;

    Rejection(String message) {
        this.message = message;
    }

    /** The text for the client. */
    public String message() {
        return message;
    }

    /** Returns the text for the client, followed by the details of this request. */
    public String because(String details) {
        return message + ": " + details;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns true if the rejection counts against the address of the client: it sent a token that is not genuine or not in
     * force. A missing token costs nothing to reject, and the others are not the fault of the token.
     */
    boolean isFailure() {
        return switch (this) {
            case MALFORMED, ALGORITHM, SIGNATURE, UNKNOWN_KEY, SUBJECT, NO_EXPIRY, EXPIRED, NOT_YET_VALID, ISSUER,
                    AUDIENCE, REVOKED, API_KEY ->
                true;
            case NO_TOKEN, RIGHTS, BLOCKED, UNAVAILABLE, FORBIDDEN -> false;
        };
    }
}
