package io.queenmq.client.wire;

import io.queenmq.client.error.CodecException;
import java.nio.charset.StandardCharsets;

/** Reads JSON in UTF-8 and rejects invalid JSON. Not thread-safe. */
final class JsonScanner {
    /** The maximum nesting, which is that of the server. */
    static final int DEPTH_MAX = 1000;

    private final byte[] bytes;
    private final int end;
    private int at;

    JsonScanner(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    int at() {
        return at;
    }

    /** Returns the next byte that is not white space, without passing it; 0 at the end. */
    byte peek() {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
        return at < end ? bytes[at] : 0;
    }

    /** Passes the next byte that is not white space if it is this one. */
    boolean tryPass(char wanted) {
        if (peek() != wanted || at == end) {
            return false;
        }
        at++;
        return true;
    }

    void pass(char wanted) {
        if (!tryPass(wanted)) {
            throw broken("'" + wanted + "' is missing");
        }
    }

    void requireEnd() {
        peek();
        if (at < end) {
            throw broken("something follows the value");
        }
    }

    void skipValue() {
        skipValue(0);
    }

    private void skipValue(int depth) {
        if (depth > DEPTH_MAX) {
            throw broken("it is nested more than " + DEPTH_MAX + " levels deep");
        }
        switch (peek()) {
            case '{' -> skipObject(depth);
            case '[' -> skipArray(depth);
            case '"' -> skipString();
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    private void skipObject(int depth) {
        pass('{');
        if (tryPass('}')) {
            return;
        }
        do {
            peek();
            skipString();
            pass(':');
            skipValue(depth + 1);
        } while (tryPass(','));
        pass('}');
    }

    private void skipArray(int depth) {
        pass('[');
        if (tryPass(']')) {
            return;
        }
        do {
            skipValue(depth + 1);
        } while (tryPass(','));
        pass(']');
    }

    /** Passes the string that begins here. Returns true if it has no escapes, so that its bytes are its text. */
    boolean skipString() {
        boolean isPlain = true;
        if (at == end || bytes[at++] != '"') {
            throw broken("a string is missing");
        }
        while (at < end) {
            byte each = bytes[at++];
            if (each == '"') {
                return isPlain;
            } else if (each == '\\') {
                isPlain = false;
                skipEscape();
            } else if (each >= 0 && each < 0x20) {
                throw broken("a string holds a control character");
            }
        }
        throw broken("a string does not end");
    }

    private void skipEscape() {
        byte kind = at < end ? bytes[at++] : 0;
        if (kind == 'u') {
            for (int i = 0; i < 4; i++) {
                if (at == end || Character.digit(bytes[at++], 16) < 0) {
                    throw broken("a string holds a broken escape");
                }
            }
        } else if ("\"\\/bfnrt".indexOf(kind) < 0) {
            throw broken("a string holds a broken escape");
        }
    }

    private void skipWord(String word) {
        for (byte each : word.getBytes(StandardCharsets.US_ASCII)) {
            if (at == end || bytes[at++] != each) {
                throw broken("it is neither a string, a number, true, false nor null");
            }
        }
    }

    private void skipNumber() {
        skipOptional('-');
        if (!skipOptional('0')) {
            skipDigits();
        }
        if (skipOptional('.')) {
            skipDigits();
        }
        if (skipOptional('e') || skipOptional('E')) {
            if (!skipOptional('+')) {
                skipOptional('-');
            }
            skipDigits();
        }
    }

    private boolean skipOptional(char wanted) {
        if (at < end && bytes[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void skipDigits() {
        int start = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        if (at == start) {
            throw broken("it is neither a string, a number, true, false nor null");
        }
    }

    private CodecException broken(String why) {
        return new CodecException("not valid JSON at byte " + at + ": " + why, null);
    }
}
