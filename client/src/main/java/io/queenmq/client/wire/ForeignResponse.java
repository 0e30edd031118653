package io.queenmq.client.wire;

import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** Recognizes responses of servers that are not Queen. Such a server has not executed the request. */
final class ForeignResponse {
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int VERSION_NOT_SUPPORTED = 505;

    private ForeignResponse() {}

    /**
     * Returns the reason in words, or null if Queen may have sent the response. A failure with a page of a proxy, such
     * as 502 or 504, may originate from a proxy in front of Queen, which may have executed the request.
     */
    static @Nullable String reason(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status == NOT_IMPLEMENTED || status == VERSION_NOT_SUPPORTED) {
            return "it responded with " + status;
        }
        if (status >= SERVER_ERROR || !isPage(response)) {
            return null;
        }
        return "it responded with " + status + " and " + contentType(response) + " instead of JSON";
    }

    private static boolean isPage(HttpResponse<byte[]> response) {
        return contentType(response).contains("html") || startsWithTag(response.body());
    }

    private static String contentType(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Content-Type").orElse("a page");
    }

    private static boolean startsWithTag(byte[] body) {
        for (byte each : body) {
            if (each > ' ') {
                return each == '<';
            }
        }
        return false;
    }
}
