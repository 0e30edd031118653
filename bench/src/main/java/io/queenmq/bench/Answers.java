package io.queenmq.bench;

/** Checks responses and records unexpected ones as errors. */
final class Answers {
    private static final Token QUEUED = new Token("\"status\":\"queued\"");
    private static final Token SUCCESS = new Token("\"success\":true");
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;

    private final Tally tally;

    Answers(Tally tally) {
        this.tally = tally;
    }

    /** Returns the number of stored messages. */
    int push(HttpAnswer answer, int sent) {
        if (answer.status() != CREATED && answer.status() != OK) {
            return unexpected("push", answer);
        }
        return all("push", "stored", QUEUED.countIn(answer), sent, answer);
    }

    /** Returns the number of accepted acks. */
    int ack(HttpAnswer answer, int sent) {
        if (answer.status() != OK) {
            return unexpected("ack", answer);
        }
        return all("ack", "accepted", SUCCESS.countIn(answer), sent, answer);
    }

    /** Reads the messages and returns their number. */
    int pop(HttpAnswer answer, PopAnswer messages) {
        if (answer.status() == NO_CONTENT) {
            tally.answered();
            return 0;
        }
        if (answer.status() != OK || !messages.read(answer)) {
            return unexpected("pop", answer);
        }
        tally.answered();
        return messages.count();
    }

    private int all(String request, String verb, int count, int sent, HttpAnswer answer) {
        tally.answered();
        if (count != sent) {
            tally.error(request + ": " + count + " of " + sent + " were " + verb + ": " + answer);
        }
        return count;
    }

    private int unexpected(String request, HttpAnswer answer) {
        tally.answered();
        tally.error(request + ": " + answer);
        return 0;
    }
}
