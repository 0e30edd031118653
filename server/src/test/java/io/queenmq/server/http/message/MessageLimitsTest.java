package io.queenmq.server.http.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.http.json.Names;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A message that is pushed inside a transaction of the database has the same limits as one that is pushed over HTTP. */
class MessageLimitsTest {
    @Test
    void namesHaveTheSameLimit() throws IOException {
        assertThat(limit("require_name", "characters_max")).isEqualTo(Names.CHARACTERS_MAX);
    }

    @Test
    void headersHaveTheSameLimits() throws IOException {
        assertThat(limit("stored_headers", "headers_max")).isEqualTo(HeadersReader.HEADERS_MAX);
        assertThat(limit("stored_headers", "bytes_max")).isEqualTo(HeadersReader.BYTES_MAX);
    }

    /** Returns a constant of a routine. */
    private static int limit(String routine, String name) throws IOException {
        try (var sql = Names.class.getResourceAsStream("/queen/schema/transact/internal/" + routine + ".sql")) {
            var constant = Pattern.compile("\\b" + name + " +constant int := (\\d+);")
                    .matcher(new String(sql.readAllBytes(), UTF_8));

            assertThat(constant.find()).as(name).isTrue();
            return Integer.parseInt(constant.group(1));
        }
    }
}
