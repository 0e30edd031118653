package io.queenmq.verify.check;

/** One guarantee. It sees each entry before the ledger applies it, and reports violations. */
abstract class Check {
    private final String name;
    private final String guarantee;
    protected final Findings findings;

    /** @param guarantee what must hold, in one sentence */
    Check(String name, String guarantee, Findings findings) {
        this.name = name;
        this.guarantee = guarantee;
        this.findings = findings;
    }

    final String name() {
        return name;
    }

    final String guarantee() {
        return guarantee;
    }

    final void read(Entry entry, Ledger ledger) {
        switch (entry) {
            case Entry.Push push -> read(push, ledger);
            case Entry.Pop pop -> read(pop, ledger);
            case Entry.Ack ack -> ack.items().forEach(each -> read(each, ack.group(), ack.line(), ledger));
            case Entry.Transaction transaction -> {
                read(transaction, ledger);
                transaction.acks().forEach(each -> read(each, transaction.group(), transaction.line(), ledger));
            }
            case Entry.Seek seek -> read(seek, ledger);
            case Entry.Renewal renewal -> read(renewal, ledger);
            case Entry.Control control -> read(control.line(), ledger);
        }
    }

    protected void read(Entry.Push push, Ledger ledger) {}

    protected void read(Entry.Pop pop, Ledger ledger) {}

    protected void read(Entry.Acked ack, String group, Entry.Line line, Ledger ledger) {}

    protected void read(Entry.Transaction transaction, Ledger ledger) {}

    protected void read(Entry.Seek seek, Ledger ledger) {}

    protected void read(Entry.Renewal renewal, Ledger ledger) {}

    protected void read(Entry.Line line, Ledger ledger) {}

    /** Called once, after the last entry was applied. */
    protected void finish(Ledger ledger) {}
}
