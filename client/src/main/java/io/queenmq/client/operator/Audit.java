package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Wire;
import java.util.List;

/** The audit log: changes by operators. */
public final class Audit {
    private static final String PATH = "/api/v1/system/audit";

    private final Wire wire;

    Audit(Wire wire) {
        this.wire = wire;
    }

    /** Lists the latest records first. */
    public List<AuditRecord> latest(int limit) {
        return list(PATH + "?limit=" + limit);
    }

    /** Lists the records before the one with this id, latest first. */
    public List<AuditRecord> before(long id, int limit) {
        return list(PATH + "?limit=" + limit + "&before=" + id);
    }

    private List<AuditRecord> list(String path) {
        return wire.send(Call.get(path)).json().get("records").list().stream()
                .map(each -> new AuditRecord(each.get("id").number(), each.get("at").moment(), each.get("actor").text(),
                        each.get("action").string(), each.get("target").string(), each.get("before").toString(),
                        each.get("after").toString(), each.get("address").text()))
                .toList();
    }
}
