package io.queenmq.dashboard;

import java.util.List;
import java.util.Set;

/**
 * A document as a page.
 *
 * @param address the path of the page, as in {@code /docs/guide/runbook}
 * @param html the body of the page
 * @param anchors the anchors of its headings
 * @param sections its text, for the search
 */
record Document(String address, String title, String html, Set<String> anchors, List<Section> sections) {
    /**
     * The text below one heading.
     *
     * @param anchor empty for the text below the title
     */
    record Section(String heading, String anchor, String text) {}
}
