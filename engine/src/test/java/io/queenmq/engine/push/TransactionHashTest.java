package io.queenmq.engine.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransactionHashTest {
    @Test
    void equalsTheHashOfPostgresForStringsOfAnyLengthAndScript() throws SQLException {
        Random random = new Random(3);
        try (TestDatabase database = TestPostgres.shared().createDatabase();
                Connection connection = database.connect();
                PreparedStatement query = connection.prepareStatement("select hashtextextended(?, 0)")) {
            for (int length = 0; length < 300; length++) {
                String text = random.ints(length, 1, 0x3000).mapToObj(Character::toString).reduce("", String::concat);
                query.setString(1, text);
                try (ResultSet answer = query.executeQuery()) {
                    answer.next();
                    assertThat(TransactionHash.of(text)).as("of %s", text).isEqualTo(answer.getLong(1));
                }
            }
        }
    }
}
