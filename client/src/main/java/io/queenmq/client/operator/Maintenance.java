package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Wire;

/** The maintenance mode, which rejects pushes or pops on all servers. */
public final class Maintenance {
    private static final String PATH = "/api/v1/system/maintenance";

    private final Wire wire;

    Maintenance(Wire wire) {
        this.wire = wire;
    }

    public Status status() {
        JsonNode response = wire.send(Call.get(PATH)).json();
        return new Status(response.get("maintenanceMode").bool(), response.get("popMaintenanceMode").bool());
    }

    public void setPushClosed(boolean isClosed) {
        wire.send(Call.post(PATH, enabled(isClosed))).json();
    }

    public void setPopClosed(boolean isClosed) {
        wire.send(Call.post(PATH + "/pop", enabled(isClosed))).json();
    }

    private static byte[] enabled(boolean isEnabled) {
        return new JsonWriter().beginObject().field("enabled", isEnabled).endObject().bytes();
    }

    /** The operations that are rejected. */
    public record Status(boolean isPushClosed, boolean isPopClosed) {}
}
