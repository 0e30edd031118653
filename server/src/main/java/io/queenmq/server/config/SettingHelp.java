package io.queenmq.server.config;

import java.util.Arrays;
import java.util.List;

/**
 * The description of a setting, for the help of the command line.
 *
 * @param defaultValue empty if the setting has no default, or one that depends on the machine
 * @param range the allowed values
 */
public record SettingHelp(String name, String defaultValue, String range, String description) {
    /** Returns all settings in the order of the reference page. */
    public static List<SettingHelp> all() {
        return Arrays.stream(Setting.values()).map(setting -> new SettingHelp(setting.name(), setting.defaultValue(),
                plain(setting.allowed().range()), plain(ConfigurationPage.meaning(setting)))).toList();
    }

    private static String plain(String markdown) {
        return markdown.replace("`", "");
    }
}
