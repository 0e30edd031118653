package io.queenmq.cli.settings;

import java.util.List;
import java.util.Map;

/**
 * Whom a command talks to.
 *
 * @param token null for none
 */
public record Target(List<String> urls, String token, TlsOptions tls) {
    public static final String URL_DEFAULT = "http://localhost:6632";

    /**
     * Options before the environment before the context in use. A context's token and certificates are for the context's server:
     * they are not used for another one that was named beside it.
     *
     * @param url null when the option was not given, like the token and the context
     */
    public static Target find(String url, String token, TlsOptions tls, String context,
            Map<String, String> environment) {
        String urlWanted = url != null || context != null ? url : given(environment, "QUEEN_URL");
        String tokenWanted = token != null || context != null ? token : given(environment, "QUEEN_TOKEN");
        TlsOptions tlsWanted = context != null ? tls : tls.orElse(TlsOptions.of(environment));
        if (urlWanted != null) {
            return new Target(split(urlWanted), tokenWanted, tlsWanted);
        }
        Context found = context(context, environment);
        return new Target(split(found.url()), tokenWanted == null ? found.token() : tokenWanted,
                tlsWanted.orElse(found.tls()));
    }

    private static Context context(String name, Map<String, String> environment) {
        Contexts contexts = Contexts.load(environment);
        if (name == null) {
            return contexts.current().orElse(new Context("", URL_DEFAULT, null, TlsOptions.NONE));
        }
        return contexts.find(name).orElseThrow(() -> new SettingsException("there is no context '" + name
                + "'; there are " + (contexts.all().isEmpty() ? "none" : String.join(", ", contexts.all().keySet())),
                null));
    }

    private static String given(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? null : value;
    }

    private static List<String> split(String urls) {
        return List.of(urls.split("\\s*,\\s*"));
    }
}
