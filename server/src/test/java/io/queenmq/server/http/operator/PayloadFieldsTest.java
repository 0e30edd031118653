package io.queenmq.server.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.operator.PayloadView;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PayloadFieldsTest {
    /** Shows every payload in brackets. */
    private static final PayloadView BRACKETS = new PayloadView() {
        @Override
        public byte[] shown(byte[] data) {
            return ("[" + new String(data, StandardCharsets.UTF_8) + "]").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] opened(byte[] line, UUID partitionId, long offset) {
            return line;
        }
    };

    @Test
    void onlyPayloadsAreReplaced() {
        String document = "{\"list\" : [{\"id\" : \"ä\", \"data\" : {\"data\":1.50}}, {\"data\" : null}], \"n\" : 123456789012345678901234567890, \"data\" :\"x\\u0000\"}";

        assertThat(PayloadFields.shown(document, Set.of("data"), BRACKETS)).isEqualTo(
                "{\"list\" : [{\"id\" : \"ä\", \"data\" : [{\"data\":1.50}]}, {\"data\" : [null]}], \"n\" : 123456789012345678901234567890, \"data\" :[\"x\\u0000\"]}");
    }

    @Test
    void documentsWithoutConversionAreNotParsed() {
        assertThat(PayloadFields.shown("not even JSON", Set.of("data"), PayloadView.AS_STORED))
                .isEqualTo("not even JSON");
    }
}
