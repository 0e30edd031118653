package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MessageViewTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    record Message(long offset, String id, String transactionId, String traceId, String producerSub, String data) {}

    @Test
    void everyMessageIsARow() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a", "b")));
        api.push(new Append(partition, 2, Batch.of("c")));

        assertThat(messagesOf(partition)).extracting(Message::offset).containsExactly(0L, 1L, 2L);
        assertThat(messagesOf(partition)).extracting(Message::transactionId).containsExactly("a", "b", "c");
    }

    @Test
    void everyFieldIsReadable() {
        var message = stored("\"t-1\"", "\"11111111-2222-3333-4444-555555555555\"", "\"alice\"", "{\"n\": [1, 2.50]}");

        assertThat(message).isEqualTo(new Message(0, "00000000-0000-7000-8000-000000000000", "t-1",
                "11111111-2222-3333-4444-555555555555", "alice", "{\"n\": [1, 2.50]}"));
    }

    @Test
    void missingFieldsAreNull() {
        assertThat(stored("\"t\"", "null", "null", "null")).returns(null, Message::traceId)
                .returns(null, Message::producerSub).returns("null", Message::data);
    }

    @Test
    void escapedCharactersInATransactionIdAreReadable() {
        assertThat(stored("\"the \\\"hi\\\", \\\\ and \\u00e9\\n\"", "null", "null", "1").transactionId())
                .isEqualTo("the \"hi\", \\ and é\n");
    }

    @Test
    void unicodeIsReadable() {
        var message = stored("\"Zürich 東京 🚀\"", "null", "\"Ådne \\\"x\\\"\"", "{\"a\":\"Zürich 東京 🚀\"}");

        assertThat(message).returns("Zürich 東京 🚀", Message::transactionId).returns("Ådne \"x\"", Message::producerSub)
                .returns("{\"a\":\"Zürich 東京 🚀\"}", Message::data);
    }

    @Test
    void aPayloadMayContainEscapesThatTextCannot() {
        assertThat(stored("\"t\"", "null", "null", "{\"a\":\"\\u0000 and \\ud83d alone\"}").data())
                .isEqualTo("{\"a\":\"\\u0000 and \\ud83d alone\"}");
    }

    @Test
    void transactionIdThatTextCannotContainIsShownAsStored() {
        var message = stored("\"nul \\u0000\"", "null", "\"half \\ud83d\"", "1");

        assertThat(message).returns("nul \\u0000", Message::transactionId).returns("half \\ud83d",
                Message::producerSub);
    }

    @Test
    void aPayloadThatContainsFieldsOfTheLineIsNotConfusedWithThem() {
        var tricky = "{\"transactionId\":\"x\",\"traceId\":null,\"producerSub\":null,\"data\":{}}";

        assertThat(stored("\"\\\",\\\"traceId\\\":null\"", "null", "null", tricky))
                .returns("\",\"traceId\":null", Message::transactionId).returns(tricky, Message::data);
    }

    @Test
    void anEncryptedMessageShowsItsCiphertext() {
        var partition = database.newPartition();
        var sealed = "{\"encrypted\":\"eA==\"}";
        var plain = "{\"a\":{},\"isEncrypted\":true}";
        api.push(new Append(partition, 0,
                Batch.ofLines(List.of(Batch.line("\"1\"", "null", "null", sealed + ",\"isEncrypted\":true"),
                        Batch.line("\"2\"", "null", "null", plain)))));

        assertThat(messagesOf(partition)).extracting(Message::data).containsExactly(sealed, plain);
        assertThat(Rows.strings(api.connection(),
                "select is_encrypted from queen.message where queue = ? order by \"offset\"", partition.queue()))
                .containsExactly("t", "f");
    }

    @Test
    void headersAreReadable() {
        var partition = database.newPartition();
        var headers = "{\"a\":\"\\\"},{\", \"data\":\"x\"}";
        api.push(new Append(partition, 0,
                Batch.ofLines(List.of(Batch.line("\"1\"", "null", "null,\"headers\":" + headers, "{\"b\":1}"),
                        Batch.line("\"2\"", "null", "\"p\",\"headers\":" + headers,
                                "{\"encrypted\":\"eA==\"},\"isEncrypted\":true"),
                        Batch.line("\"3\"", "null", "null", "{\"headers\":{\"c\":\"d\"}}")))));

        assertThat(Rows.strings(api.connection(),
                "select coalesce(headers::text, 'none') || ' ' || data || ' ' || is_encrypted"
                        + " from queen.message where queue = ? order by \"offset\"",
                partition.queue())).containsExactly(headers + " {\"b\":1} false",
                        headers + " {\"encrypted\":\"eA==\"} true", "none {\"headers\":{\"c\":\"d\"}} false");
        assertThat(messagesOf(partition)).extracting(Message::producerSub).containsExactly(null, "p", null);
    }

    @Test
    void removedMessagesAreNotShown() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a", "b", "c")));
        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");

        assertThat(messagesOf(partition)).extracting(Message::transactionId).containsExactly("c");
    }

    private Message stored(String transactionId, String traceId, String producerSub, String data) {
        var partition = database.newPartition();
        api.push(new Append(partition, 0,
                Batch.ofLines(List.of(Batch.line(transactionId, traceId, producerSub, data)))));
        return messagesOf(partition).getFirst();
    }

    private List<Message> messagesOf(Partition partition) {
        return api.list(rows -> new Message(rows.getLong(1), rows.getString(2), rows.getString(3), rows.getString(4),
                rows.getString(5), rows.getString(6)), """
                select "offset", id, transaction_id, trace_id, producer_sub, data
                from queen.message
                where queue = ? and partition = ?
                order by "offset"
                """, partition.queue(), partition.name());
    }
}
