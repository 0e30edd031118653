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

/** The one place that knows what answers look like. Answers go to the standard output, everything else to the error output. */
public final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;
    private final PrintStream err;
    private final Format format;
    private final Colours colours;
    private final Cells cells;

    /** @param isColoured whether both outputs may be coloured */
    public Output(PrintStream out, PrintStream err, Format format, boolean isColoured) {
        this.out = out;
        this.err = err;
        this.format = format;
        this.colours = new Colours(isColoured);
        this.cells = new Cells(Clock.systemUTC());
    }

    /** Many things of one kind. */
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

    /** One thing: a line for each field. */
    public <T> void one(List<Column<T>> columns, T thing) {
        ObjectNode object = object(columns, thing);
        if (format.isForPeople()) {
            fields(columns.stream().filter(column -> column.isIn(format)).toList(), thing);
        } else {
            document(object);
        }
        flush();
    }

    /** A title over what follows; for people only. */
    public void title(String title) {
        if (format.isForPeople()) {
            line("");
            line(colours.title(title));
        }
    }

    /** A thing with other things in it: for people in parts, for programs in one piece. */
    public void parts(Runnable forPeople, Map<String, ?> forPrograms) {
        if (format.isForPeople()) {
            forPeople.run();
        } else {
            document(Cells.node(forPrograms));
        }
        flush();
    }

    /** Something was done: a sentence for people, fields for programs. */
    public void done(String sentence, Map<String, ?> fields) {
        parts(() -> line(sentence), fields);
    }

    /** One of many things that come one after the other, with time between them. */
    public <T> void next(List<Column<T>> columns, T thing) {
        switch (format) {
            case TABLE, WIDE -> {
                List<String> row = new ArrayList<>();
                columns.stream().filter(column -> column.isIn(format)).forEach(column -> {
                    String cell = cells.text(column.value().apply(thing), Format.WIDE);
                    row.add(colours.state(cell, cell));
                });
                line(String.join("  ", row));
            }
            case JSON, NDJSON -> line(text(object(columns, thing)));
            case YAML -> document(object(columns, thing));
        }
        flush();
    }

    /** A text that is an answer by itself. */
    public void text(List<String> lines) {
        lines.forEach(this::line);
        flush();
    }

    /** Beside the answer: for the eyes of whoever sits there. */
    public void aside(String sentence) {
        err.println(colours.aside(sentence));
    }

    public void error(String sentence) {
        err.println(colours.error("queen: ") + sentence);
    }

    public Format format() {
        return format;
    }

    /** What was printed has been taken by whoever reads it, as far as one can know. */
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
        Table table = new Table(shown.stream().map(Column::title).toList(), colours);
        for (T each : things) {
            List<Object> values = new ArrayList<>();
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
            line(colours.title(name + ":") + " ".repeat(width - name.length() + 1) + colours.state(value, value));
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
