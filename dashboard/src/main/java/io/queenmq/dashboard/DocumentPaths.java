package io.queenmq.dashboard;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps paths of files of the repository to addresses of pages. */
final class DocumentPaths {
    static final String ROOT = "/docs";

    private static final String MARKDOWN = ".md";
    private static final String README = "README";
    private static final String DOCS = "docs/";

    private final Set<String> files;

    /** @param files all served files by their path in the repository */
    DocumentPaths(Set<String> files) {
        this.files = files;
    }

    /** Returns the address of a file or folder: {@code docs/guide/cluster.md} is at {@code /docs/guide/cluster}. */
    static String address(String file) {
        String path = file.startsWith(DOCS) ? file.substring(DOCS.length()) : file;
        if (path.endsWith(MARKDOWN)) {
            path = path.substring(0, path.length() - MARKDOWN.length());
            if (path.equals(README) || path.endsWith("/" + README)) {
                path = path.substring(0, Math.max(0, path.length() - README.length() - 1));
            }
        }
        return path.isEmpty() ? ROOT : ROOT + "/" + path;
    }

    /**
     * Returns the address of the target of a link; null if the server does not serve the target.
     *
     * @param file the document with the link
     */
    @Nullable
    String resolve(String file, String link) {
        if (link.matches("[a-z]+:.*") || link.startsWith("#")) {
            return link;
        }
        int hash = link.indexOf('#');
        String path = normalize(folder(file) + (hash < 0 ? link : link.substring(0, hash)));
        if (!files.contains(path) && !isFolder(path)) {
            return null;
        }
        return address(path) + (hash < 0 ? "" : link.substring(hash));
    }

    /** Returns true if documents are directly in this folder. */
    boolean isFolder(String path) {
        return files.stream().anyMatch(file -> file.endsWith(MARKDOWN) && folder(file).equals(path + "/"));
    }

    static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/') + 1);
    }

    private static String normalize(String path) {
        String normal = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String before;
        do {
            before = normal;
            normal = normal.replaceFirst("(^|/)(?!\\.\\./)[^/]+/\\.\\./", "$1").replace("/./", "/");
        } while (!normal.equals(before));
        return normal;
    }
}
