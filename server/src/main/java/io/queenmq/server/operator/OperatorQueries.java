package io.queenmq.server.operator;

/** Calls the routines for operators. Safe from any thread; the reply may be completed on any thread. */
public interface OperatorQueries {
    void call(OperatorCall call);

    /** Returns the conversion of payloads in the documents. */
    default PayloadView payloads() {
        return PayloadView.AS_STORED;
    }
}
