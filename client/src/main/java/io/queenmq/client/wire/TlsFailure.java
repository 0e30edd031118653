package io.queenmq.client.wire;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Recognizes failed TLS handshakes. No server executes a request whose handshake failed. */
final class TlsFailure {
    /** The JDK has no type for a server that does not use TLS. With another text the outcome counts as unknown. */
    private static final String NO_TLS = "Unrecognized SSL message, plaintext connection?";

    private TlsFailure() {}

    /** Returns the reason in words, or null if the failure is not that of a handshake. */
    static @Nullable String reason(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SSLException && String.valueOf(each.getMessage()).contains(NO_TLS)) {
                return "the server does not use TLS; is the URL http:// instead of https://?";
            }
            if (each instanceof SSLHandshakeException || each instanceof SSLPeerUnverifiedException) {
                return String.valueOf(each.getMessage());
            }
        }
        return null;
    }
}
