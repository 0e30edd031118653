package io.queenmq.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The documents of this release as pages below {@code /docs}, in memory. They are rendered from the Markdown files. */
public final class Documents {
    private static final String FOLDER = "queen/docs/";
    private static final String README = "README.md";

    private final Map<String, Document> pages;
    private final Map<String, Asset> files;
    private final DocumentLayout layout;
    private final DocumentSearch search;

    private Documents(Map<String, Document> pages, Map<String, Asset> files, DocumentLayout layout) {
        this.pages = pages;
        this.files = files;
        this.layout = layout;
        this.search = new DocumentSearch(pages.values());
    }

    /** Returns the documents. The first call renders all of them, so it must not be made on an event loop. */
    public static Documents get() {
        return Loaded.DOCUMENTS;
    }

    /**
     * Returns a page as HTML; null if there is none.
     *
     * @param path as in {@code /docs/guide/runbook}
     */
    public @Nullable String page(String path) {
        Document document = pages.get(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
        return document == null ? null : layout.page(document);
    }

    /** Returns the page with the sections that contain all words of the query. */
    public String results(String query) {
        return layout.results(query, search.find(query));
    }

    /** Returns a file that documents link to, such as an image; null if there is none. */
    public @Nullable Asset file(String path) {
        return files.get(path);
    }

    /** Returns the addresses of all pages with the anchors of their headings. */
    public SortedMap<String, List<String>> anchors() {
        SortedMap<String, List<String>> anchors = new TreeMap<>();
        pages.forEach((address, page) -> anchors.put(address, page.anchors().stream().sorted().toList()));
        return anchors;
    }

    private static Documents load() {
        SortedMap<String, byte[]> all = Files.read(FOLDER, README);
        DocumentPaths paths = new DocumentPaths(all.keySet());
        DocumentRenderer renderer = new DocumentRenderer(paths);
        Map<String, Document> pages = new HashMap<>();
        Map<String, Asset> files = new HashMap<>();
        all.forEach((file, bytes) -> {
            String address = DocumentPaths.address(file);
            if (file.endsWith(".md")) {
                pages.put(address, renderer.render(file, text(bytes)));
            } else {
                files.put(address, new Asset(Files.typeOf(file), bytes, Files.compressed(bytes)));
            }
        });
        folders(all.keySet().stream()).forEach(folder -> pages.computeIfAbsent(DocumentPaths.address(folder),
                _ -> renderer.render(folder + "/" + README, index(folder, pages, all))));
        byte[] readme = all.get(README);
        return new Documents(Map.copyOf(pages), Map.copyOf(files),
                new DocumentLayout(DocumentNavigation.of(text(readme), paths), Dashboard.get().release()));
    }

    private static Stream<String> folders(Stream<String> files) {
        return files.filter(file -> file.startsWith("docs/") && file.endsWith(".md")).map(DocumentPaths::folder)
                .filter(folder -> folder.length() > "docs/".length())
                .map(folder -> folder.substring(0, folder.length() - 1)).distinct();
    }

    /** Returns a document that lists the documents of a folder. */
    private static String index(String folder, Map<String, Document> pages, SortedMap<String, byte[]> files) {
        String name = folder.substring(folder.lastIndexOf('/') + 1);
        StringBuilder index = new StringBuilder("# ").append(name.substring(0, 1).toUpperCase(Locale.ROOT))
                .append(name.substring(1)).append("\n\n");
        files.keySet().stream().filter(file -> file.endsWith(".md") && DocumentPaths.folder(file).equals(folder + "/"))
                .forEach(file -> {
                    Document page = pages.get(DocumentPaths.address(file));
                    index.append("- [").append(page == null ? file : page.title()).append("](")
                            .append(file.substring(folder.length() + 1)).append(")\n");
                });
        return index.toString();
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    /** Loaded on first use, so that unused documents cost nothing. */
    private static final class Loaded {
        private static final Documents DOCUMENTS = load();
    }
}
