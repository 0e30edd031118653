package io.queenmq.server.operator;

/** The door for operators. Safe from any thread; the reply comes on a thread of the desk's choosing. */
public interface OperatorDesk {
    void call(OperatorCall call);

    /** How payloads in the documents are shown. */
    default PayloadView payloads() {
        return PayloadView.AS_STORED;
    }
}
