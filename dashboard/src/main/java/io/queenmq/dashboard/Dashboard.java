package io.queenmq.dashboard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All files of the dashboard, in memory. Addresses of assets contain a hash of all assets, so browsers may cache them forever
 * and never combine assets of two releases.
 */
public final class Dashboard {
    private static final String FOLDER = "queen/dashboard/";
    private static final String PAGE = "index.html";
    private static final String ASSETS = "assets/";
    private static final String PLACEHOLDER = "@assets@";
    private static final Pattern IMPORT_MAP = Pattern.compile("<script type=\"importmap\">(.*?)</script>",
            Pattern.DOTALL);
    private static final int RELEASE_DIGITS = 16;

    private final String page;
    private final String importMapHash;
    private final String release;
    private final Map<String, Asset> assets;

    private Dashboard(String page, String release, Map<String, Asset> assets) {
        this.page = page;
        this.importMapHash = importMapHash(page);
        this.release = release;
        this.assets = assets;
    }

    /** Returns the dashboard. The first call reads and compresses all files, so it must not be made on an event loop. */
    public static Dashboard get() {
        return Loaded.DASHBOARD;
    }

    /** Returns the only HTML page. Its scripts render all pages. */
    public String page() {
        return page;
    }

    /** Returns the source that a content security policy must allow in addition to the dashboard's files. */
    public String importMapHash() {
        return importMapHash;
    }

    /** Returns the hash of all assets. */
    public String release() {
        return release;
    }

    /**
     * Returns a file; null if this release does not have it.
     *
     * @param path as in {@code <release>/css/style.css}
     */
    public @Nullable Asset asset(String path) {
        return assets.get(path);
    }

    private static Dashboard load() {
        SortedMap<String, byte[]> files = Files.read(FOLDER, PAGE);
        MessageDigest digest = sha256();
        files.forEach((path, bytes) -> {
            digest.update(path.getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        });
        String release = HexFormat.of().formatHex(digest.digest()).substring(0, RELEASE_DIGITS);
        String page = new String(files.get(PAGE), StandardCharsets.UTF_8).replace(PLACEHOLDER, "/assets/" + release);
        Map<String, Asset> assets = new HashMap<>();
        files.forEach((path, bytes) -> {
            if (path.startsWith(ASSETS)) {
                assets.put(release + "/" + path.substring(ASSETS.length()),
                        new Asset(Files.typeOf(path), bytes, Files.compressed(bytes)));
            }
        });
        return new Dashboard(page, release, Map.copyOf(assets));
    }

    private static String importMapHash(String page) {
        Matcher matcher = IMPORT_MAP.matcher(page);
        if (!matcher.find()) {
            throw new IllegalStateException(PAGE + " has no import map");
        }
        byte[] hash = sha256().digest(matcher.group(1).getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Loaded on first use, so that an unused dashboard costs nothing. */
    private static final class Loaded {
        private static final Dashboard DASHBOARD = load();
    }
}
