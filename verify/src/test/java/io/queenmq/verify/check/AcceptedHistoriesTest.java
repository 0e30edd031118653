package io.queenmq.verify.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Histories that look suspicious and violate nothing. No check may reject them. */
class AcceptedHistoriesTest {
    private static final String DONE = "{'success':true}";
    private static final String REFUSED = "{'success':false}";

    @Test
    void anUnknownPushIsStored() {
        accepts(new Recording().fault(500, 900).unknownPush(600, 0).stored(0, 0).pop(2_000, "L1", 1, 0)
                .ack(2_100, "L1", 0).end(3_000, 0));
    }

    @Test
    void anUnknownPushIsNotStored() {
        accepts(new Recording().fault(500, 900).unknownPush(600, 0).end(3_000));
    }

    @Test
    void anUnknownPushIsRepeatedAndItsFirstAttemptTookEffect() {
        accepts(new Recording().fault(500, 900).unknownPush(600, 0)
                .push(950, 0, "{'status':'duplicate','partitionId':'P','id':'A'}", "ok", "").stored(0, 0)
                .pop(2_000, "L1", 1, 0).ack(2_100, "L1", 0).end(3_000, 0));
    }

    @Test
    void anUnknownAckTookEffect() {
        accepts(new Recording().push(100, 0, 0).push(200, 1, 1).pop(500, "L1", 1, 0).fault(550, 800)
                .ack(600, "L1", "completed", DONE, "unknown", 0).pop(1_000, "L2", 1, 1).ack(1_100, "L2", 1)
                .end(3_000, 0, 1));
    }

    @Test
    void anUnknownAckTookNoEffect() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(550, 800)
                .ack(600, "L1", "completed", DONE, "unknown", 0).pop(5_000, "L2", 2, 0).ack(5_100, "L2", 0)
                .end(6_000, 0));
    }

    @Test
    void anUnknownNegativeAckMayHaveMovedTheMessageToTheDeadLetters() {
        accepts(new Recording().push(100, 0, 0).push(200, 1, 1).pop(500, "L1", 4, 0).fault(550, 800)
                .ack(600, "L1", "failed", DONE, "unknown", 0).pop(1_000, "L2", 1, 1).ack(1_100, "L2", 1)
                .line(12_000, "letters", "{'queue':'q','letters':[{'m':0,'group':'g','partitionId':'P','attempts':4,"
                        + "'reason':'retry_limit'}]}")
                .end(3_000, 0, 1));
    }

    @Test
    void anExpiredLeaseIsReplacedAndItsAckRejected() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).pop(4_600, "L2", 2, 0)
                .ack(4_700, "L1", "completed", REFUSED, "ok", 0).ack(4_800, "L2", 0).end(6_000, 0));
    }

    @Test
    void anAckIsRepeatedUnderAnExpiredLease() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).ack(600, "L1", 0).ack(9_000, "L1", 0).end(10_000,
                0));
    }

    @Test
    void aRenewedLeaseIsAcknowledgedAfterItsFirstEnd() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0)
                .line(3_000, "renew", "{'lease':'L1','seconds':4,'outcome':'ok'}").ack(6_500, "L1", 0).end(7_000, 0));
    }

    @Test
    void aRenewalWithUnknownOutcomeMayHaveExtendedTheLease() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(2_900, 3_500)
                .line(3_000, "renew", "{'lease':'L1','seconds':4,'outcome':'unknown'}").ack(6_500, "L1", 0)
                .end(7_000, 0));
    }

    @Test
    void aSeekDeliversFinishedMessagesAgain() {
        accepts(new Recording().push(100, 0, 0).push(200, 1, 1).pop(500, "L1", 1, 0, 1).ack(600, "L1", 0, 1)
                .line(1_000, "seek", "{'queue':'q','group':'g','partition':'a','offset':0,'outcome':'ok'}")
                .pop(1_500, "L2", 1, 0, 1).ack(1_600, "L2", 0, 1).end(3_000, 0, 1));
    }

    @Test
    void aDeadLetterIsMovedBackToANewOffset() {
        accepts(new Recording("{'retryLimit':0}").push(100, 0, 0).pop(500, "L1", 1, 0)
                .ack(600, "L1", "failed", "{'success':true,'dlq':true}", "ok", 0)
                .line(900, "redrive", "{'queue':'q','outcome':'ok'}").stored(1, 0).pop(1_500, "L2", 1, 1)
                .ack(1_600, "L2", 1).end(3_000, 0, 1));
    }

    @Test
    void aQueueIsDeletedAndCreatedAgain() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0)
                .line(700, "delete-queue", "{'queue':'q','outcome':'ok'}").push(1_000, 1, 1).pop(1_500, "L2", 1, 1)
                .ack(1_600, "L2", 1).end(3_000, 1));
    }

    @Test
    void aTransactionIdIsUsedAgainOutsideItsWindow() {
        String first = "{'status':'queued','partitionId':'P','offset':0}";
        String second = "{'status':'queued','partitionId':'P','offset':1}";
        accepts(new Recording("{'retryLimit':3,'dedupWindowSeconds':3}").push(100, 0, first, "ok", "x")
                .push(3_300, 1, second, "ok", "x").stored(0, 0).stored(1, 1).pop(4_000, "L1", 1, 0, 1)
                .ack(4_100, "L1", 0, 1).end(5_000, 0, 1));
    }

    @Test
    void aTransactionIdIsUsedAgainInsideItsWindowAndReportedAsDuplicate() {
        accepts(new Recording("{'retryLimit':3,'dedupWindowSeconds':3}")
                .push(100, 0, "{'status':'queued','partitionId':'P','offset':0}", "ok", "x")
                .push(1_000, 1, "{'status':'duplicate','partitionId':'P','id':'A'}", "ok", "x").stored(0, 0)
                .pop(4_000, "L1", 1, 0).ack(4_100, "L1", 0).end(5_000, 0));
    }

    @Test
    void aSpooledPushIsStoredLater() {
        accepts(new Recording().fault(50, 2_000).push(100, 0, "{'status':'buffered'}", "ok", "").stored(0, 0)
                .pop(4_000, "L1", 1, 0).ack(4_100, "L1", 0).end(5_000, 0));
    }

    @Test
    void aCrashOfPostgresForgetsALease() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(700, 1_500, "leases").pop(2_000, "L2", 1, 0)
                .ack(2_100, "L2", 0).end(5_000, 0));
    }

    @Test
    void aFailoverLosesTheTailAndItsOffsetsAreUsedAgain() {
        accepts(new Recording().push(100, 0, 0).push(900, 1, 1).pop(1_000, "L1", 1, 0, 1).ack(1_100, "L1", 0, 1)
                .fault(800, 2_000, "leases", "history").push(3_000, 2, 1).pop(4_000, "L2", 1, 0, 1)
                .ack(4_100, "L2", 0, 1).end(5_000, 0, 1));
    }

    @Test
    void theResponseOfAnEarlierLeaseIsDelayed() {
        accepts(new Recording().push(100, 0, 0).fault(400, 9_000).pop(5_000, "L2", 2, 0).ack(5_100, "L2", 0)
                .line(500, "pop",
                        "{'queue':'q','group':'g','outcome':'ok','lease':'L1','leaseSeconds':4,'end':8000000,"
                                + "'messages':[{'m':0,'partition':'a','partitionId':'P','offset':0,'attempt':1}]}")
                .end(10_000, 0));
    }

    @Test
    void anUnknownTransactionTookEffect() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(550, 900)
                .transaction(600, "L1", "unknown", new int[]{0}, 10, 11).end(5_000, 0)
                .endOfTransactions(15_000, 10, 11));
    }

    @Test
    void anUnknownTransactionTookNoEffectAndIsMadeAgain() {
        accepts(new Recording().push(100, 0, 0).pop(500, "L1", 1, 0).fault(550, 900)
                .transaction(600, "L1", "unknown", new int[]{0}, 10, 11).pop(5_000, "L2", 2, 0)
                .transaction(5_100, "L2", "ok", new int[]{0}, 12).end(6_000, 0).endOfTransactions(16_000, 12));
    }

    @Test
    void acksOutOfOrderAreNotDeliveredAgain() {
        accepts(new Recording().push(100, 0, 0).push(200, 1, 1).push(300, 2, 2).pop(500, "L1", 1, 0, 1, 2)
                .ack(600, "L1", 1).pop(4_700, "L2", 2, 0, 2).ack(4_800, "L2", 0, 2).end(6_000, 0, 1, 2));
    }

    private static void accepts(Recording history) {
        Findings findings = history.check();
        assertThat(findings.kept().stream().map(each -> each.check() + ": " + each.text())).isEmpty();
    }
}
