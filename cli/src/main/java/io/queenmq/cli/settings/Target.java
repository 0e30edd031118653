package io.queenmq.cli.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server that a command connects to.
 *
 * @param token null if there is none
 */
public record Target(List<String> urls, @Nullable String token, TlsOptions tls) {
    public static final String URL_DEFAULT = "http://localhost:6632";
    private static final int PORT_MAX = 65_535;

    /**
     * Returns the server by precedence: options, environment, current context. The token and certificates of a context
     * belong to its
     * server. They must not be used for a server that is given by an option or the environment.
     *
     * @param url null if the option is missing, like token and context
     */
    public static Target find(@Nullable String url, @Nullable String token, TlsOptions tls, @Nullable String context,
            Map<String, String> environment) {
        String requestedUrl = url != null || context != null ? url : given(environment, "QUEEN_URL");
        String requestedToken = token != null || context != null ? token : given(environment, "QUEEN_TOKEN");
        TlsOptions requestedTls = context != null ? tls : tls.orElse(TlsOptions.of(environment));
        if (requestedUrl != null) {
            return new Target(split(requestedUrl, url == null ? "QUEEN_URL" : "--url"), requestedToken, requestedTls);
        }
        Context found = context(context, environment);
        return new Target(split(found.url(), "the context " + found.name()),
                requestedToken == null ? found.token() : requestedToken, requestedTls.orElse(found.tls()));
    }

    private static Context context(@Nullable String name, Map<String, String> environment) {
        Contexts contexts = Contexts.load(environment);
        if (name == null) {
            return contexts.current().orElse(new Context("", URL_DEFAULT, null, TlsOptions.NONE));
        }
        return contexts.find(name)
                .orElseThrow(() -> new SettingsException(
                        "there is no context '" + name + "'; there are "
                                + (contexts.all().isEmpty() ? "none" : String.join(", ", contexts.all().keySet())),
                        null));
    }

    private static @Nullable String given(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? null : value;
    }

    private static List<String> split(String urls, String source) {
        List<String> all = List.of(urls.strip().split("\\s*,\\s*"));
        all.forEach(each -> requireUrl(each, source));
        return all;
    }

    /** Rejects a URL that cannot be the address of a server, with the reason. */
    private static void requireUrl(String url, String source) {
        String problem = problemOf(url);
        if (problem != null) {
            throw new SettingsException(
                    "\"" + url + "\" in " + source + " " + problem + "; use a URL such as " + URL_DEFAULT, null);
        }
    }

    private static @Nullable String problemOf(String url) {
        URI parsed;
        try {
            parsed = new URI(url);
        } catch (URISyntaxException e) {
            return "is not a URL (" + e.getReason() + ")";
        }
        String scheme = parsed.getScheme();
        if (scheme == null || parsed.isOpaque()) {
            return "does not begin with http:// or https://";
        }
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return "has the scheme " + scheme;
        }
        if (parsed.getHost() == null) {
            return "has no valid host name and port";
        }
        if (parsed.getPort() > PORT_MAX || parsed.getPort() == 0) {
            return "has the port " + parsed.getPort();
        }
        if (parsed.getQuery() != null || parsed.getFragment() != null) {
            return "contains a query or fragment";
        }
        return parsed.getUserInfo() == null ? null : "contains a user; give a token with --token";
    }
}
