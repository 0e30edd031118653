package io.queenmq.server.operator;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The next step of a change that is made in pages, decided from the document that describes its progress. */
sealed interface PageStep {
    Pattern RUNNING = Pattern.compile("\"inProgress\": true.*\"operationId\": \"([0-9a-f-]{36})\"");

    /** The change is complete, or is not made in pages. */
    record Complete(String json) implements PageStep {}

    /** The change continues in the background; the request is answered with its progress. */
    record Detach(String json) implements PageStep {}

    /** The next page of the change is processed. */
    record Continue(UUID operationId) implements PageStep {}

    /** @param isTimeUp true if the request must be answered now */
    static PageStep of(String json, boolean isTimeUp) {
        Matcher running = RUNNING.matcher(json);
        if (!running.find()) {
            return new Complete(json);
        }
        return isTimeUp ? new Detach(json) : new Continue(UUID.fromString(running.group(1)));
    }
}
