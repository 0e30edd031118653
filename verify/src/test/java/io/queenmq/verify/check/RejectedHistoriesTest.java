package io.queenmq.verify.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** More violations of each guarantee than the doctored files contain, each beside the history without it. */
class RejectedHistoriesTest {
    private static final String DONE = "{'success':true}";

    @Test
    void aMessageIsMissingInTheMiddleOfAResponse() {
        rejects("order", three().pop(500, "L1", 1, 0, 2).ack(600, "L1", 0, 2).pop(700, "L2", 1, 1).ack(800, "L2", 1)
                .end(3_000, 0, 1, 2));
        accepts(three().pop(500, "L1", 1, 0, 1, 2).ack(600, "L1", 0, 2).ack(800, "L1", 1).end(3_000, 0, 1, 2));
    }

    private static Recording three() {
        return new Recording().push(100, 0, 0).push(200, 1, 1).push(300, 2, 2);
    }

    @Test
    void anAckTakesEffectAfterItsLeaseExpired() {
        rejects("fencing", new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).ack(5_000, "L1", 0).end(6_000, 0));
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).ack(4_400, "L1", 0).end(6_000, 0));
    }

    @Test
    void aTransactionAcknowledgesWithoutItsPushes() {
        Supplier<Recording> unknown = () -> new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(550, 900)
                .transaction(600, "L1", "unknown", new int[]{0}, 10, 11).end(5_000, 0);

        rejects("torn-transaction", unknown.get().endOfTransactions(15_000));
        accepts(unknown.get().endOfTransactions(15_000, 10, 11));
    }

    @Test
    void aTransactionPushesWithoutItsAck() {
        Supplier<Recording> repeated = () -> new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(550, 900)
                .transaction(600, "L1", "unknown", new int[]{0}, 10).pop(5_000, "L2", 2, 0)
                .transaction(5_100, "L2", "ok", new int[]{0}, 12).end(6_000, 0);

        rejects("torn-transaction", repeated.get().endOfTransactions(16_000, 10, 12));
        accepts(repeated.get().endOfTransactions(16_000, 12));
    }

    @Test
    void aTransactionIsStoredInPartAfterAFailover() {
        Supplier<Recording> failover = () -> new Recording().fault(500, 2_000, "leases", "history")
                .transaction(600, "L1", "ok", new int[0], 10, 11).end(5_000);

        rejects("torn-transaction", failover.get().endOfTransactions(15_000, 10));
        accepts(failover.get().endOfTransactions(15_000));
    }

    @Test
    void aStreamCountsAMessageTwice() {
        rejects("torn-transaction", stream(2, 2, 0));
        accepts(stream(1, 1, 0));
    }

    @Test
    void aSessionOfAStreamIsLost() {
        rejects("torn-transaction", stream(1, 0, 0));
        accepts(stream(1, 0, 1));
    }

    /** @param sum the messages of the session whose result is stored */
    private static Recording stream(int total, int open, int sum) {
        Recording history = new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).ack(600, "L1", 0)
                .line(700, "transaction",
                        "{'group':'g','lease':'','outcome':'ok','acks':[],'stream':'P','sum':" + sum
                                + ",'items':[{'m':5,'queue':'r','partition':'s'}]}")
                .end(3_000, 0).endOfTransactions(13_000, 5);
        return history.line(14_000, "state", "{'queue':'q','group':'g','partition':'a','partitionId':'P',"
                + "'outcome':'ok','total':" + total + ",'open':" + open + "}");
    }

    @Test
    void aMessageIsDeadBeforeItsLastAttempt() {
        rejects("attempts", deadWith(2));
        accepts(deadWith(4));
    }

    private static Recording deadWith(int attempts) {
        return new Recording().push(100, 0, 0).pop(500, "L1", attempts, 0).fault(550, 800)
                .ack(600, "L1", "failed", DONE, "unknown", 0)
                .line(12_000, "letters", "{'queue':'q','letters':[{'m':0,'group':'g','partitionId':'P','attempts':"
                        + attempts + ",'reason':'retry_limit'}]}")
                .end(3_000, 0);
    }

    @Test
    void theResponseToARepeatedPushNamesAnotherMessage() {
        rejects("duplicate", repeated("B"));
        accepts(repeated("A"));
    }

    private static Recording repeated(String id) {
        return new Recording().fault(50, 300).unknownPush(100, 0)
                .push(400, 0, "{'status':'duplicate','partitionId':'P','id':'A'}", "ok", "").stored(0, 0)
                .pop(500, "L1", 1, 0).ack(600, "L1", 0)
                .line(900, "pop",
                        "{'queue':'q','group':'verify-audit','outcome':'ok','autoAck':true,'messages':[{"
                                + "'m':0,'partition':'a','partitionId':'P','offset':0,'id':'" + id + "'}]}")
                .end(3_000, 0);
    }

    @Test
    void aFailoverLosesAMessageThatIsOlderThanItsTail() {
        rejects("loss", lagging(0, 90_000));
        accepts(lagging(89_000, 90_000));
    }

    private static Recording lagging(int pushedAt, int failover) {
        return new Recording().push(pushedAt, 0, 0).fault(failover, failover + 2_000, "leases", "history")
                .end(failover + 5_000);
    }

    @Test
    void aGroupMissesAMessageAfterAFailover() {
        Supplier<Recording> failover = () -> new Recording().fault(500, 2_000, "leases", "history").push(40_000, 0, 0)
                .push(40_100, 1, 1).pop(40_200, "L1", 1, 0).ack(40_300, "L1", 0);

        rejects("loss", failover.get().end(50_000, 0, 1));
        accepts(failover.get().pop(41_000, "L2", 1, 1).ack(41_100, "L2", 1).end(50_000, 0, 1));
    }

    private static void rejects(String check, Recording history) {
        assertThat(history.check().counts()).containsOnlyKeys(check);
    }

    private static void accepts(Recording history) {
        assertThat(history.check().kept().stream().map(each -> each.check() + ": " + each.text())).isEmpty();
    }
}
