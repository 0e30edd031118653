package io.queenmq.cli.output;

import java.util.Map;

/** Colors texts for terminals. */
public final class Colors {
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final String RED = "31";
    private static final String BOLD = "1";
    private static final String DIM = "2";

    /** The colors of words that describe a state. */
    private static final Map<String, String> STATES = Map.ofEntries(Map.entry("ready", GREEN),
            Map.entry("healthy", GREEN), Map.entry("Stable", GREEN), Map.entry("completed", GREEN),
            Map.entry("finished", GREEN), Map.entry("queued", GREEN), Map.entry("open", GREEN),
            Map.entry("leased", YELLOW), Map.entry("processing", YELLOW), Map.entry("retrying", YELLOW),
            Map.entry("delayed", YELLOW), Map.entry("window", YELLOW), Map.entry("paused", YELLOW),
            Map.entry("Lagging", YELLOW), Map.entry("duplicate", YELLOW), Map.entry("behind", YELLOW),
            Map.entry("running", YELLOW), Map.entry("Dead", RED), Map.entry("dead_letter", RED),
            Map.entry("maintenance", YELLOW), Map.entry("expired", RED), Map.entry("exhausted", RED),
            Map.entry("dead_lettered", RED), Map.entry("failed", RED), Map.entry("unhealthy", RED),
            Map.entry("disconnected", RED), Map.entry("closed", RED), Map.entry("create", GREEN),
            Map.entry("change", YELLOW), Map.entry("unchanged", DIM));

    private final boolean isOn;

    Colors(boolean isOn) {
        this.isOn = isOn;
    }

    /** Returns the value in the color of its state. */
    String state(String word, String padded) {
        String color = STATES.get(word);
        return color == null ? padded : paint(color, padded);
    }

    String title(String text) {
        return paint(BOLD, text);
    }

    String error(String text) {
        return paint(RED, text);
    }

    String aside(String text) {
        return paint(DIM, text);
    }

    private String paint(String color, String text) {
        return isOn ? "\u001b[" + color + "m" + text + "\u001b[0m" : text;
    }
}
