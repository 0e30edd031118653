package io.queenmq.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Formats rows under titles, with columns as wide as their longest cell. */
final class Table {
    private static final String GAP = "  ";

    private final List<String> titles;
    private final List<Boolean> isNumber;
    private final List<List<String>> rows = new ArrayList<>();
    private final Colors colors;

    Table(List<String> titles, Colors colors) {
        this.titles = titles;
        this.colors = colors;
        this.isNumber = new ArrayList<>();
        titles.forEach(title -> isNumber.add(true));
    }

    /** @param values the values of the cells; columns of numbers are aligned to the right */
    void add(List<String> cells, List<?> values) {
        rows.add(cells);
        for (int i = 0; i < cells.size(); i++) {
            isNumber.set(i, isNumber.get(i) && (values.get(i) instanceof Number || values.get(i) == null));
        }
    }

    List<String> lines() {
        int[] widths = new int[titles.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = titles.get(i).length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>(rows.size() + 1);
        lines.add(line(titles, widths, true));
        rows.forEach(row -> lines.add(line(row, widths, false)));
        return lines;
    }

    private String line(List<String> cells, int[] widths, boolean isTitle) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            boolean isLast = i == cells.size() - 1;
            String cell = cells.get(i);
            String blanks = " ".repeat(widths[i] - cell.length());
            // Colors are added after padding, because control characters have no width.
            String painted = isTitle ? colors.title(cell) : colors.state(cell, cell);
            if (isNumber.get(i) && !rows.isEmpty()) {
                line.append(blanks).append(painted);
            } else {
                line.append(painted).append(isLast ? "" : blanks);
            }
            line.append(isLast ? "" : GAP);
        }
        return line.toString();
    }
}
