package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Parses the bodies of the two ack routes. */
public final class AckParser {
    private AckParser() {}

    /** Parses a body that is one acknowledgment. */
    public static AckRequest parseOne(byte[] body) {
        return JsonInput.object(body, parser -> {
            AckDraft draft = read(parser);
            return new AckRequest(draft.group(), List.of(draft));
        });
    }

    /** Parses a body with a list of acknowledgments and one group for all. */
    public static AckRequest parseBatch(byte[] body) {
        return JsonInput.object(body, parser -> {
            List<AckDraft> drafts = null;
            String group = null;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                switch (name) {
                    case "acknowledgments" -> drafts = drafts(parser);
                    case "consumerGroup" -> group = JsonInput.stringOrNull(parser, name);
                    default -> JsonInput.skip(parser);
                }
            }
            if (drafts == null) {
                throw new BadRequest("acknowledgments must be an array");
            }
            return new AckRequest(AckDraft.groupOf(group), drafts);
        });
    }

    private static List<AckDraft> drafts(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw new BadRequest("acknowledgments must be an array");
        }
        List<AckDraft> drafts = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new BadRequest("acknowledgments[" + drafts.size() + "] must be an object");
            }
            try {
                drafts.add(read(parser));
            } catch (BadRequest e) {
                throw e.within("acknowledgments[" + drafts.size() + "]");
            }
        }
        return drafts;
    }

    private static AckDraft read(JsonParser parser) throws IOException {
        AckDraft draft = new AckDraft();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (!draft.readField(name, parser)) {
                JsonInput.skip(parser);
            }
        }
        draft.requireIds();
        return draft;
    }

    /** The acknowledgments of one request. Some of them may be invalid, see {@link AckDraft#problem}. */
    public record AckRequest(String group, List<AckDraft> drafts) {}
}
