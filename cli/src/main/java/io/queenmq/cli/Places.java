package io.queenmq.cli;

import io.queenmq.client.operator.SeekTarget;
import picocli.CommandLine.TypeConversionException;

/** Parses positions in partitions in the form that users type. */
final class Places {
    private Places() {}

    /** Parses {@code beginning}, {@code end}, an offset, or a time. */
    static SeekTarget parse(String text) {
        if (text.equals("beginning")) {
            return SeekTarget.beginning();
        }
        if (text.equals("end")) {
            return SeekTarget.end();
        }
        if (text.matches("(offset:)?\\d+")) {
            return SeekTarget.offset(Long.parseLong(text.replace("offset:", "")));
        }
        try {
            return SeekTarget.after(Moments.instant(text));
        } catch (TypeConversionException e) {
            throw CommandFailed.byUser(
                    "'" + text + "' is not a position; use beginning, end, an offset such as 17, a time such as "
                            + "2026-01-31T12:00:00Z, or 15m for 15 minutes ago");
        }
    }

    /** Returns the position in words for a sentence. */
    static String inWords(SeekTarget target) {
        return switch (target) {
            case SeekTarget.Beginning beginning -> "the beginning";
            case SeekTarget.End end -> "the end";
            case SeekTarget.After after -> after.moment().toString();
            case SeekTarget.Offset place -> "offset " + place.offset();
        };
    }
}
