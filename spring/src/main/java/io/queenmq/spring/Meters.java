package io.queenmq.spring;

/** Records the activity of listeners and of the template. */
interface Meters {
    /** Records nothing. */
    Meters NONE = new Meters() {
        @Override
        public void started(String queue, String group) {}

        @Override
        public void pushed(String queue, String via, int messages) {}

        @Override
        public void deadLettered(String queue, String group) {}

        @Override
        public void handled(String queue, String group, int messages, long ns, boolean isFailure) {}
    };

    /** Records that a listener has started, from when on the backlog of its group is measured. */
    void started(String queue, String group);

    /** @param via {@code http} or {@code transaction} */
    void pushed(String queue, String via, int messages);

    /** Records a dead letter of a listener. */
    void deadLettered(String queue, String group);

    /** Records a call of a listener with this number of messages. */
    void handled(String queue, String group, int messages, long ns, boolean isFailure);
}
