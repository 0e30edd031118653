package io.queenmq.dashboard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Searches sections of documents that contain all words of a query. */
final class DocumentSearch {
    private static final int RESULTS_MAX = 30;
    private static final int WORDS_MAX = 10;
    private static final int TITLE_WEIGHT = 20;
    private static final int HEADING_WEIGHT = 30;
    private static final int COUNT_MAX = 5;
    private static final int EXCERPT = 200;

    private final List<Entry> entries = new ArrayList<>();

    DocumentSearch(Collection<Document> documents) {
        for (Document document : documents) {
            for (Document.Section section : document.sections()) {
                entries.add(new Entry(document, section, document.title().toLowerCase(Locale.ROOT),
                        section.heading().toLowerCase(Locale.ROOT), section.text().toLowerCase(Locale.ROOT)));
            }
        }
    }

    private record Entry(Document document, Document.Section section, String title, String heading, String text) {}

    /**
     * A section that matches.
     *
     * @param address with the anchor of the section
     * @param excerpt the text around the first match
     */
    record Found(String address, String title, String heading, String excerpt) {}

    /** Returns the best matches first. */
    List<Found> find(String query) {
        List<String> words = List.of(query.toLowerCase(Locale.ROOT).strip().split("\\s+"));
        if (words.getFirst().isEmpty()) {
            return List.of();
        }
        List<String> wanted = words.subList(0, Math.min(words.size(), WORDS_MAX));
        record Scored(Entry entry, int score) {}
        return entries.stream().map(entry -> new Scored(entry, score(entry, wanted))).filter(each -> each.score() > 0)
                .sorted(Comparator.comparingInt(Scored::score).reversed()).limit(RESULTS_MAX)
                .map(each -> found(each.entry(), wanted)).toList();
    }

    /** Returns 0 unless the section contains all words. */
    private static int score(Entry entry, List<String> words) {
        int score = 0;
        for (String word : words) {
            int inText = count(entry.text(), word);
            int here = inText + (entry.heading().contains(word) ? HEADING_WEIGHT : 0);
            if (here == 0 && !entry.title().contains(word)) {
                return 0;
            }
            score += here + (entry.title().contains(word) ? TITLE_WEIGHT : 0);
        }
        return score;
    }

    private static int count(String text, String word) {
        int count = 0;
        for (int at = text.indexOf(word); at >= 0 && count < COUNT_MAX; at = text.indexOf(word, at + word.length())) {
            count++;
        }
        return count;
    }

    private static Found found(Entry entry, List<String> words) {
        String text = entry.section().text();
        int first = words.stream().mapToInt(entry.text()::indexOf).filter(at -> at >= 0).min().orElse(0);
        int from = Math.max(0, Math.min(first - EXCERPT / 3, text.length() - EXCERPT));
        int to = Math.min(text.length(), from + EXCERPT);
        String excerpt = (from > 0 ? "…" : "") + text.substring(from, to) + (to < text.length() ? "…" : "");
        String anchor = entry.section().anchor();
        return new Found(entry.document().address() + (anchor.isEmpty() ? "" : "#" + anchor), entry.document().title(),
                entry.section().heading(), excerpt);
    }
}
