package io.queenmq.spring;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.List;
import java.util.Map;

/** The observation context of a listener call. */
final class ProcessContext extends ReceiverContext<Map<String, String>> {
    private final List<Map<String, String>> messages;

    /**
     * @param headers the headers of the trace that the call continues
     * @param messages the headers of each message
     */
    ProcessContext(Map<String, String> headers, List<Map<String, String>> messages) {
        super((carrier, name) -> headers.get(name), Kind.CONSUMER);
        this.messages = messages;
    }

    /** Returns the headers of each message. */
    List<Map<String, String>> messages() {
        return messages;
    }
}
