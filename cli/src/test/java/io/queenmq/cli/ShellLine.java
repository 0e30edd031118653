package io.queenmq.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a document that calls the command line, read as a shell would.
 *
 * @param words after {@code queen}
 * @param input the file behind {@code <}; null for none
 * @param output the file behind {@code >}; null for none
 * @param isPiped whether another program writes the input
 */
record ShellLine(List<String> words, String input, String output, boolean isPiped) {
    private static final Pattern CALL = Pattern.compile("(?:^|.*?[ (|])(?:\\./)?queen (.*)");
    private static final Pattern WORD = Pattern.compile("\\G\\s*(?:'([^']*)'|\"([^\"]*)\"|([<>|)#])|([^\\s'\"<>|)]+))");

    /** Returns empty if the line calls another program. */
    static Optional<ShellLine> read(String line) {
        Matcher call = CALL.matcher(line);
        if (!call.matches()) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>();
        String input = null;
        String output = null;
        boolean isGlued = false;
        Matcher word = WORD.matcher(call.group(1));
        while (word.find() && !isEnd(word.group(3))) {
            String text = word.group(4) != null ? word.group(4) : word.group(1) != null ? word.group(1) : word.group(2);
            if (word.group(3) != null) {
                String redirection = word.group(3);
                word.find();
                input = redirection.equals("<") ? word.group(4) : input;
                output = redirection.equals(">") ? word.group(4) : output;
            } else if (isGlued && !Character.isWhitespace(word.group().charAt(0))) {
                words.set(words.size() - 1, words.getLast() + text);
            } else {
                words.add(text);
            }
            isGlued = true;
        }
        return Optional.of(new ShellLine(words, input, output, line.substring(0, call.start(1)).contains("|")));
    }

    private static boolean isEnd(String sign) {
        return sign != null && "|)#".contains(sign);
    }

    boolean startsWith(String... start) {
        return words.size() >= start.length && words.subList(0, start.length).equals(List.of(start));
    }

    @Override
    public String toString() {
        return "queen " + String.join(" ", words);
    }
}
