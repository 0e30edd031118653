package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PopAnswerTest {
    private final PopAnswer answer = new PopAnswer();

    @Test
    void idsOfEveryMessageAreFoundAmongAnyOtherFields() {
        assertThat(read("""
                {"success":true,"leaseId":"top","partitionId":"top","messages":[
                  {"id":"1","transactionId":"0000002a-0003-7000-8000-00000000000f","data":{"n":7,"sent":1000000000000123},
                   "partitionId":"partition","leaseId":"lease"},
                  {"leaseId":"lease","data":{"transactionId":"no","messages":[{"leaseId":"no"}],"text":"\\"}]\\\\"},
                   "partitionId":"partition","transactionId":"0000002b-0000-7000-8000-000000000010","traceId":null}
                ],"after":{"transactionId":"no"}}""")).isTrue();

        assertThat(answer.count()).isEqualTo(2);
        PopAnswer.Message first = answer.message(0);
        assertThat(first.isOurs()).isTrue();
        assertThat(first.stream()).isEqualTo(42);
        assertThat(first.producer()).isEqualTo(3);
        assertThat(first.sequence()).isEqualTo(15);
        assertThat(first.sentMicros()).isEqualTo(1_000_000_000_000_123L);
        assertThat(answer.message(1).stream()).isEqualTo(43);
        assertThat(answer.message(1).sequence()).isEqualTo(16);
    }

    @Test
    void transactionIdsOfOtherProgramsAreIgnored() {
        assertThat(read("{\"messages\":[{\"transactionId\":\"order-1\"},{\"id\":\"1\"}]}")).isTrue();

        assertThat(answer.count()).isEqualTo(2);
        assertThat(answer.message(0).isOurs()).isFalse();
        assertThat(answer.message(1).isOurs()).isFalse();
    }

    @Test
    void aTruncatedResponseIsNotRead() {
        assertThat(read("{\"messages\":[{\"transactionId\":\"order-1\"}")).isFalse();
        assertThat(read("{\"messages\":[{\"transactionId\":\"ord")).isFalse();
        assertThat(read("]")).isFalse();
        assertThat(answer.count()).isZero();
    }

    private boolean read(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return answer.read(bytes, 0, bytes.length);
    }
}
