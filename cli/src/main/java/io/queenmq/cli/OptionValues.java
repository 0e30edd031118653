package io.queenmq.cli;

import io.queenmq.client.operator.QueueOptions;
import java.math.BigDecimal;
import java.util.TreeSet;

/** Options of queues as they are typed. The server passes over what it does not know, so a slip is found here. */
final class OptionValues {
    private OptionValues() {}

    static String requireName(String name) {
        if (!QueueOptions.NAMES.contains(name)) {
            throw CommandFailed.byUser("there is no option " + name + "; there are "
                    + String.join(", ", new TreeSet<>(QueueOptions.NAMES)));
        }
        return name;
    }

    /** @param setting where it stands, for the error */
    static Object parse(String text, String setting) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (!text.matches("-?\\d{1,18}(\\.\\d{1,9})?")) {
            throw CommandFailed.byUser("a value is a number, true or false, and not as in " + setting);
        }
        BigDecimal number = new BigDecimal(text).stripTrailingZeros();
        return number.scale() > 0 ? (Object) number.doubleValue() : (Object) number.longValue();
    }
}
