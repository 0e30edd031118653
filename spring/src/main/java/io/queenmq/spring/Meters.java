package io.queenmq.spring;

/** What is counted. */
interface Meters {
    /** For applications that count nothing. */
    Meters NONE = new Meters() {
        @Override
        public void pushed(String queue, String via, int messages) {}

        @Override
        public void handled(String queue, String group, int messages, long ns, boolean isFailure) {}
    };

    /** @param via {@code http} or {@code transaction} */
    void pushed(String queue, String via, int messages);

    /** A listener was called with so many messages, and has returned or thrown. */
    void handled(String queue, String group, int messages, long ns, boolean isFailure);
}
