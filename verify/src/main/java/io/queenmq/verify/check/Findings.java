package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The violations that the checks found. Only the first ones of each check are kept, all are counted. */
public final class Findings {
    private static final int KEPT_PER_CHECK = 20;

    private final Map<String, List<Violation>> byCheck = new LinkedHashMap<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();

    /**
     * A violation of a guarantee.
     *
     * @param check the name of the check
     * @param text the violation in one sentence
     * @param isEvidence selects the lines of the history that prove it
     */
    public record Violation(String check, String text, Predicate<JsonNode> isEvidence) {}

    void add(String check, String text, Predicate<JsonNode> isEvidence) {
        counts.merge(check, 1L, Long::sum);
        List<Violation> kept = byCheck.computeIfAbsent(check, _ -> new ArrayList<>());
        if (kept.size() < KEPT_PER_CHECK) {
            kept.add(new Violation(check, text, isEvidence));
        }
    }

    /** Returns the number of violations of each check that found some. */
    public Map<String, Long> counts() {
        return counts;
    }

    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Returns the kept violations, by check. */
    public List<Violation> kept() {
        return byCheck.values().stream().flatMap(List::stream).toList();
    }
}
