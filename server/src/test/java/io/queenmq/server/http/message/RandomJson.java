package io.queenmq.server.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random JSON values and names, with many characters that parsers handle incorrectly. */
final class RandomJson {
    private static final int DEPTH_MAX = 6;
    private static final int NAME_CHARACTERS_MAX = 60;
    private static final List<String> NUMBERS = List.of("0", "-0", "1e5", "-1.50E-3",
            "12345678901234567890123456789012345");
    private static final List<String> WORDS = List.of("null", "true", "false");
    private static final List<String> TEXTS = List.of("a", "é", "😀", "\\n", "\\u0000", "\\ud83d", "\\\"", "\\\\", "}",
            "]", ",", "\u2028", "\u007f", "/", "\\/");

    /** Without unpaired surrogates: the JSON parser accepts them in values only. */
    private static final List<String> KEYS = List.of("a", "é", "😀", "\\t", "\\u0000", "\\ud83d\\ude00", "\\\"", ":",
            "data", "payload");
    private static final List<String> SPACES = List.of("", " ", "\t", "\n", "\r\n", "  \n\t");

    private final SplittableRandom random;

    RandomJson(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Returns a JSON value: in half of the cases a scalar, otherwise an array or an object. */
    String value() {
        return value(0);
    }

    private String value(int depth) {
        int kind = depth == DEPTH_MAX ? 0 : random.nextInt(4);
        return switch (kind) {
            case 2 -> array(depth + 1);
            case 3 -> object(depth + 1);
            default -> scalar();
        };
    }

    private String scalar() {
        return switch (random.nextInt(3)) {
            case 0 -> any(NUMBERS);
            case 1 -> any(WORDS);
            default -> text(TEXTS);
        };
    }

    private String array(int depth) {
        List<String> items = upTo(3, () -> value(depth));
        String space = any(SPACES);
        return "[" + space + String.join(space + "," + space, items) + space + "]";
    }

    private String object(int depth) {
        List<String> fields = upTo(3, () -> {
            String space = any(SPACES);
            return text(KEYS) + space + ":" + space + value(depth);
        });
        String space = any(SPACES);
        return "{" + space + String.join("," + space, fields) + space + "}";
    }

    private String text(List<String> parts) {
        return "\"" + String.join("", upTo(6, () -> any(parts))) + "\"";
    }

    /** Returns a text that is allowed as a name: neither empty nor with NUL or an unpaired surrogate. */
    String name() {
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(1, NAME_CHARACTERS_MAX + 1); i > 0; i--) {
            name.appendCodePoint(switch (random.nextInt(5)) {
                case 0 -> random.nextInt(1, 0x20);
                case 1 -> random.nextInt(0x20, 0x80);
                case 2 -> "\"\\/\b\f\n\r\t\u007f\u2028\u2029\ufeff\uffff".codePointAt(random.nextInt(13));
                case 3 -> random.nextInt(0x80, Character.MIN_SURROGATE);
                default -> random.nextInt(Character.MAX_SURROGATE + 1, Character.MAX_CODE_POINT + 1);
            });
        }
        return name.toString();
    }

    private String any(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private List<String> upTo(int sizeMax, Supplier<String> item) {
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(sizeMax + 1); i > 0; i--) {
            items.add(item.get());
        }
        return items;
    }
}
