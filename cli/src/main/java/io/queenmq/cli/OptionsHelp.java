package io.queenmq.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Adds the options of queues to the help of a command. The options are loaded only if the help is shown. */
final class OptionsHelp implements IModelTransformer {
    private static final String SECTION = "queueOptions";
    private static final int NAME_WIDTH = 30;

    @Override
    public CommandSpec transform(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        List<String> sections = new ArrayList<>(usage.sectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SECTION);
        usage.sectionKeys(sections);
        usage.sectionMap().put(SECTION, help -> "%nOptions of a queue:%n".formatted() + table(help));
        return spec;
    }

    private static String table(Help help) {
        int width = help.commandSpec().usageMessage().width();
        Help.TextTable table = Help.TextTable.forColumns(help.colorScheme(),
                new Column(NAME_WIDTH, 2, Overflow.TRUNCATE), new Column(width - NAME_WIDTH, 1, Overflow.WRAP));
        OptionSchemas.all().forEach(each -> table.addRowValues(each.getKey(),
                each.getValue().get("description").asText() + " (" + OptionSchemas.rangeOf(each.getValue()) + ")"));
        return table.toString();
    }
}
