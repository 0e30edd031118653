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
 * All files of the dashboard, read once and kept. Assets have addresses that contain a hash of them all, so browsers may
 * keep them for ever and never mix those of two releases.
 */
public final class Dashboard {
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

    /** The dashboard. The first call reads and compresses all files, which takes a while: not for event loops. */
    public static Dashboard get() {
        return Loaded.DASHBOARD;
    }

    /** The one page there is; its scripts make the others of it. */
    public String page() {
        return page;
    }

    /** The source that a content security policy has to allow besides the dashboard's own files. */
    public String importMapHash() {
        return importMapHash;
    }

    /** What tells this set of files from any other. */
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
        SortedMap<String, byte[]> files = Files.read();
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

    /** Read when somebody asks for it for the first time: a server whose dashboard nobody opens pays nothing. */
    private static final class Loaded {
        private static final Dashboard DASHBOARD = load();
    }
}
