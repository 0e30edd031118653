package io.queenmq.engine.catalog;

/** What operators change besides queues. */
public interface Revisions {
    /** What is known of subscriptions may be wrong. */
    void subscriptionsChanged();

    /** What is believed about this partition may be wrong. */
    void partitionRevised(String queue, String partition);

    /** What is believed about any partition may be wrong: this server was away for too long to be told which. */
    void partitionsMissed();
}
