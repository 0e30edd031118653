package io.queenmq.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The value of a setting and its source, for operators.
 *
 * @param value empty if the setting has no value, or a default that depends on the machine; a secret is replaced by asterisks
 * @param source {@code default}, {@code environment}, the path of the file with settings, or the variable that names the file of a
 *        secret
 */
public record EffectiveSetting(String name, String value, String source) {
    private static final String HIDDEN = "********";

    /** Returns all settings in the order of the reference page. */
    public static List<EffectiveSetting> all(Map<String, String> environment) {
        SettingsFile file = SettingsFile.read(environment);
        Map<String, String> variables = OidcConfig.withImplied(file.variables());
        List<EffectiveSetting> all = new ArrayList<>();
        for (Setting setting : Setting.values()) {
            all.add(of(setting, variables, file));
        }
        return all;
    }

    private static EffectiveSetting of(Setting setting, Map<String, String> variables, SettingsFile file) {
        for (String name : Environment.namesOf(setting)) {
            String value = variables.getOrDefault(name, "");
            if (!value.isBlank()) {
                boolean isImplied = !file.variables().containsKey(name);
                String source = isImplied ? Setting.OIDC_ISSUER.name() : file.sourceOf(name);
                return new EffectiveSetting(setting.name(), setting.isSecret() ? HIDDEN : value.strip(),
                        name.equals(setting.name()) ? source : source + " (" + name + ")");
            }
        }
        return new EffectiveSetting(setting.name(),
                setting.isSecret() && !setting.defaultValue().isEmpty() ? HIDDEN : setting.defaultValue(), "default");
    }
}
