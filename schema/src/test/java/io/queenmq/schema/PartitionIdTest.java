package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionIdTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    @ParameterizedTest
    @ValueSource(strings = {"Default", "", "customer-42", "Zürich", "東京", "🚀", "with \" and \\ and '"})
    void databaseAndServerComputeTheSameId(String name) {
        var queueId = UUID.randomUUID();

        assertThat(database.partition(queueId, "any", name).id()).isEqualTo(inJava(queueId, name));
    }

    @RepeatedTest(50)
    void databaseAndServerAgreeForRandomNames() {
        databaseAndServerComputeTheSameId(UUID.randomUUID().toString());
    }

    private static UUID inJava(UUID queueId, String name) {
        var bytes = name.getBytes(UTF_8);
        return UUID.nameUUIDFromBytes(ByteBuffer.allocate(16 + bytes.length).putLong(queueId.getMostSignificantBits())
                .putLong(queueId.getLeastSignificantBits()).put(bytes).array());
    }
}
