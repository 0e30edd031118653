package io.queenmq.cli.settings;

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
            return new Target(split(requestedUrl), requestedToken, requestedTls);
        }
        Context found = context(context, environment);
        return new Target(split(found.url()), requestedToken == null ? found.token() : requestedToken,
                requestedTls.orElse(found.tls()));
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

    private static List<String> split(String urls) {
        return List.of(urls.split("\\s*,\\s*"));
    }
}
