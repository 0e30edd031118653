package io.queenmq.cli.settings;

import java.util.List;
import java.util.Map;

/**
 * Whom a command talks to.
 *
 * @param token null for none
 */
public record Target(List<String> urls, String token) {
    public static final String URL_DEFAULT = "http://localhost:6632";

    /**
     * Options before the environment before the context in use. A context's token is for the context's server: it is not sent to
     * another one that was named beside it.
     *
     * @param url null when the option was not given, like the other two
     */
    public static Target find(String url, String token, String context, Map<String, String> environment) {
        String urlWanted = url != null || context != null ? url : given(environment, "QUEEN_URL");
        String tokenWanted = token != null || context != null ? token : given(environment, "QUEEN_TOKEN");
        if (urlWanted != null) {
            return new Target(split(urlWanted), tokenWanted);
        }
        Context found = context(context, environment);
        return new Target(split(found.url()), tokenWanted == null ? found.token() : tokenWanted);
    }

    private static Context context(String name, Map<String, String> environment) {
        Contexts contexts = Contexts.load(environment);
        if (name == null) {
            return contexts.current().orElse(new Context("", URL_DEFAULT, null));
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
