package io.queenmq.server.http.operator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.operator.PayloadView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/** Decrypts the payloads in a document. All other bytes stay unchanged. */
final class PayloadFields {
    private PayloadFields() {}

    /** @param names the fields with payloads, at any depth outside of payloads */
    static String shown(String document, Set<String> names, PayloadView view) {
        if (view == PayloadView.AS_STORED || names.isEmpty()) {
            return document;
        }
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        return JsonInput.document(bytes, parser -> {
            ByteArrayOutputStream shown = new ByteArrayOutputStream(bytes.length);
            int copied = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && names.contains(parser.currentName())) {
                    parser.nextToken();
                    int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
                    int end = end(parser);
                    byte[] data = Arrays.copyOfRange(bytes, start, end);
                    shown.write(bytes, copied, start - copied);
                    shown.writeBytes(view.shown(data));
                    copied = end;
                }
            }
            shown.write(bytes, copied, bytes.length - copied);
            return shown.toString(StandardCharsets.UTF_8);
        });
    }

    private static int end(JsonParser parser) throws IOException {
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
        } else {
            parser.finishToken();
        }
        return Math.toIntExact(parser.currentLocation().getByteOffset());
    }
}
