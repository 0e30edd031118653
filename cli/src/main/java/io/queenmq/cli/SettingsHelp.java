package io.queenmq.cli;

import io.queenmq.server.config.SettingHelp;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Adds the settings of the server to the help of a command. They are listed only if the help is shown. */
final class SettingsHelp {
    private static final String SECTION = "settings";
    private static final int NAME_WIDTH = 36;

    private SettingsHelp() {}

    static void addTo(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        List<String> sections = new ArrayList<>(usage.sectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SECTION);
        usage.sectionKeys(sections);
        usage.sectionMap().put(SECTION, help -> "%nSettings:%n".formatted() + table(help));
    }

    private static String table(Help help) {
        int width = help.commandSpec().usageMessage().width();
        Help.TextTable table = Help.TextTable.forColumns(help.colorScheme(), new Column(NAME_WIDTH, 2, Overflow.SPAN),
                new Column(width - NAME_WIDTH, 1, Overflow.WRAP));
        for (SettingHelp each : SettingHelp.all()) {
            String bounds = each.defaultValue().isEmpty()
                    ? each.range()
                    : each.range() + "; default: " + each.defaultValue();
            table.addRowValues(each.name(), each.description() + " (" + bounds + ")");
        }
        return table.toString();
    }
}
