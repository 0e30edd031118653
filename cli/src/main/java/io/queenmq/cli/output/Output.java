package io.queenmq.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints results to the standard output in the chosen format, and notes and errors to the error output. */
public final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;
    private final PrintStream err;
    private final Format format;
    private final Colors colors;
    private final Cells cells;

    /** @param isColored true if both outputs may contain colors */
    public Output(PrintStream out, PrintStream err, Format format, boolean isColored) {
        this.out = out;
        this.err = err;
        this.format = format;
        this.colors = new Colors(isColored);
        this.cells = new Cells(Clock.systemUTC());
    }

    /** Prints objects of one kind. */
    public <T> void list(List<Column<T>> columns, List<? extends T> things) {
        switch (format) {
            case TABLE, WIDE -> table(columns, things).lines().forEach(this::line);
            case JSON, YAML -> {
                ArrayNode all = JsonNodeFactory.instance.arrayNode();
                things.forEach(each -> all.add(object(columns, each)));
                document(all);
            }
            case NDJSON -> things.forEach(each -> line(text(object(columns, each))));
        }
        flush();
    }

    /** Prints an object, in tables with one line per field. */
    public <T> void one(List<Column<T>> columns, T thing) {
        ObjectNode object = object(columns, thing);
        if (format.isTable()) {
            fields(columns.stream().filter(column -> column.isIn(format)).toList(), thing);
        } else {
            document(object);
        }
        flush();
    }

    /** Prints the title of the next part in tables. */
    public void title(String title) {
        if (format.isTable()) {
            line("");
            line(colors.title(title));
        }
    }

    /** Prints an object that contains lists: in parts for tables, as one document for programs. */
    public void parts(Runnable forPeople, Map<String, ? extends @Nullable Object> forPrograms) {
        if (format.isTable()) {
            forPeople.run();
        } else {
            document(Cells.node(forPrograms));
        }
        flush();
    }

    /** Prints the result of a change: a sentence, or fields for programs. */
    public void done(String sentence, Map<String, ? extends @Nullable Object> fields) {
        parts(() -> line(sentence), fields);
    }

    /** Prints the next object of a stream. */
    public <T> void next(List<Column<T>> columns, T thing) {
        switch (format) {
            case TABLE, WIDE -> {
                List<String> row = new ArrayList<>();
                columns.stream().filter(column -> column.isIn(format)).forEach(column -> {
                    String cell = cells.text(column.value().apply(thing), Format.WIDE);
                    row.add(colors.state(cell, cell));
                });
                line(String.join("  ", row));
            }
            case JSON, NDJSON -> line(text(object(columns, thing)));
            case YAML -> document(object(columns, thing));
        }
        flush();
    }

    /** Prints lines unchanged in all formats. */
    public void text(List<String> lines) {
        lines.forEach(this::line);
        flush();
    }

    /** Prints a note to the error output. */
    public void aside(String sentence) {
        err.println(colors.aside(sentence));
    }

    public void error(String sentence) {
        err.println(colors.error("queen: ") + sentence);
    }

    public Format format() {
        return format;
    }

    /** @throws PipeClosed if the reader of the output has closed it */
    private void flush() {
        if (out.checkError()) {
            throw new PipeClosed();
        }
    }

    private void line(String line) {
        out.println(line);
    }

    private <T> Table table(List<Column<T>> columns, List<? extends T> things) {
        List<Column<T>> shown = columns.stream().filter(column -> column.isIn(format)).toList();
        Table table = new Table(shown.stream().map(Column::title).toList(), colors);
        for (T each : things) {
            List<@Nullable Object> values = new ArrayList<>();
            shown.forEach(column -> values.add(column.value().apply(each)));
            table.add(values.stream().map(value -> cells.text(value, format)).toList(), values);
        }
        return table;
    }

    private <T> void fields(List<Column<T>> columns, T thing) {
        int width = columns.stream().mapToInt(column -> Column.words(column.name()).length()).max().orElse(0);
        for (Column<T> column : columns) {
            String name = Column.words(column.name());
            String value = cells.text(column.value().apply(thing), Format.WIDE);
            line(colors.title(name + ":") + " ".repeat(width - name.length() + 1) + colors.state(value, value));
        }
    }

    private static <T> ObjectNode object(List<Column<T>> columns, T thing) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        columns.forEach(column -> object.set(column.name(), Cells.node(column.value().apply(thing))));
        return object;
    }

    private void document(JsonNode node) {
        switch (format) {
            case YAML -> out.print(Yaml.text(text(node)));
            case NDJSON -> {
                if (node.isArray()) {
                    node.forEach(each -> line(text(each)));
                } else {
                    line(text(node));
                }
            }
            default -> line(indented(node));
        }
    }

    private static String text(JsonNode node) {
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String indented(JsonNode node) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
