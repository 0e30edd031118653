package io.queenmq.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every output format. Names and payloads cannot change the layout. */
class OutputTest {
    private record Thing(String name, long count, Duration lag, Instant at, Payload data) {}

    private static final List<Column<Thing>> COLUMNS = List.of(Column.of("name", Thing::name),
            Column.of("count", Thing::count), Column.of("timeLagSeconds", Thing::lag),
            Column.wide("createdAt", Thing::at), Column.data("data", Thing::data));
    private static final List<Thing> THINGS = List.of(new Thing("ready", 1234, Duration.ofSeconds(61),
            Instant.parse("2026-01-31T12:00:00Z"), new Payload("{\"n\":1.50}")),
            new Thing(null, 5, Duration.ZERO, null, null));

    @Test
    void tablesHaveAlignedColumns() {
        assertThat(list(Format.TABLE, false)).isEqualTo("""
                NAME   COUNT  TIME LAG
                ready  1,234  1m1s
                -          5  0s
                """);
    }

    @Test
    void wideTablesHaveMore() {
        assertThat(list(Format.WIDE, false)).contains("CREATED AT", "2026-01-31T12:00:00Z").doesNotContain("DATA");
    }

    @Test
    void jsonKeepsPayloadsAsTheyAre() {
        assertThat(list(Format.NDJSON, false)).isEqualTo("""
                {"name":"ready","count":1234,"timeLagSeconds":61,"createdAt":"2026-01-31T12:00:00Z","data":{"n":1.50}}
                {"name":null,"count":5,"timeLagSeconds":0,"createdAt":null,"data":null}
                """);
        assertThat(list(Format.JSON, false)).startsWith("[ {\n").contains("\"data\" : {\"n\":1.50}");
    }

    @Test
    void yamlContainsTheSameValues() {
        assertThat(list(Format.YAML, false)).isEqualTo("""
                ---
                - name: ready
                  count: 1234
                  timeLagSeconds: 61
                  createdAt: 2026-01-31T12:00:00Z
                  data:
                    "n": 1.50
                - name: null
                  count: 5
                  timeLagSeconds: 0
                  createdAt: null
                  data: null
                """);
    }

    @Test
    void statesAreColoredOnATerminalOnly() {
        assertThat(list(Format.TABLE, true)).contains("\u001b[32mready\u001b[0m  1,234");
        assertThat(list(Format.TABLE, false)).doesNotContain("\u001b");
        assertThat(list(Format.JSON, true)).doesNotContain("\u001b");
    }

    @Test
    void pushedTextCannotMoveTheCursor() {
        Thing evil = new Thing("a\u001b[2Jb\nc", 1, Duration.ZERO, null, null);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        output(out, Format.TABLE, false).list(COLUMNS, List.of(evil));

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("a [2Jb c").hasLineCount(2);
    }

    @Test
    void norCanItByItsHeaders() {
        List<Column<Map<String, String>>> headers = List.of(Column.of("headers", each -> each));
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        output(out, Format.TABLE, false).list(headers, List.of(Map.of("kind", "\u001b[2J\n"), Map.of()));

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("HEADERS\nkind= [2J \n-\n");
    }

    @Test
    void oneObjectHasALineForEachField() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        output(out, Format.TABLE, false).one(COLUMNS, THINGS.getFirst());

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("""
                name:     ready
                count:    1,234
                time lag: 1m1s
                """);
    }

    private static String list(Format format, boolean isColored) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        output(out, format, isColored).list(COLUMNS, THINGS);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Output output(ByteArrayOutputStream out, Format format, boolean isColored) {
        return new Output(new PrintStream(out, false, StandardCharsets.UTF_8), System.err, format, isColored);
    }
}
