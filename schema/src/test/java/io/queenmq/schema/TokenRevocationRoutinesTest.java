package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Revoked tokens: lists, loading by servers, and removal. */
class TokenRevocationRoutinesTest {
    private static final String REVOKE = "revoke_tokens('ada', %s, %s, %s, %s)";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);

    @BeforeEach
    void clear() {
        api.execute("delete from queen.token_revocation");
        api.execute("delete from queen.audit");
    }

    @Test
    void serversLoadWhatChangedSinceTheVersionTheyHave() {
        long before = version();
        assertThat(loaded(before)).isEmpty();

        revoke("'t1'", "null", "null", "null");
        revoke("null", "'bob'", "to_timestamp(1000)", "null");
        revoke("null", "null", "to_timestamp(500.5)", "null");

        assertThat(loaded(before)).containsExactly("{t1} {bob} {1000} 500.5");
        assertThat(loaded(-1)).hasSize(1);
        assertThat(loaded(version())).isEmpty();
    }

    @Test
    void aLaterTimeReplacesAnEarlierOneOfTheSameSubject() {
        revoke("null", "'bob'", "to_timestamp(1000)", "null");
        revoke("null", "'bob'", "to_timestamp(900)", "null");
        assertThat(loaded(-1)).containsExactly("{} {bob} {1000} 0");

        revoke("null", "'bob'", "to_timestamp(1100)", "null");
        assertThat(loaded(-1)).containsExactly("{} {bob} {1100} 0");
    }

    /** The empty text is a subject like others, and not every subject. */
    @Test
    void everySubjectIsNotTheEmptySubject() {
        revoke("null", "''", "to_timestamp(1000)", "null");
        revoke("null", "null", "to_timestamp(900)", "null");

        assertThat(loaded(-1)).containsExactly("{} {\"\"} {1000} 900");
    }

    @Test
    void aTokenIsRevokedUntilTheLatestExpiry() {
        revoke("'t1'", "null", "null", "'2100-01-01'");
        revoke("'t1'", "null", "null", "'2090-01-01'");
        assertThat(operators.ask("list_revocations(null, 10)", "revocations,0,expiresAt")).startsWith("2100-01-01");

        revoke("'t1'", "null", "null", "null");
        revoke("'t1'", "null", "null", "'2100-01-01'");

        assertThat(operators.ask("list_revocations(null, 10)", "revocations,0,expiresAt")).isNull();
        assertThat(operators.each("list_revocations(null, 10)", "revocations", "tokenId")).containsExactly("t1");
    }

    @Test
    void aRevocationIsUndoneOnce() {
        String id = operators.ask(REVOKE.formatted("'t1'", "null", "null", "null"), "id");
        long before = version();

        assertThat(operators.ask("restore_tokens('bob', " + id + ")", "tokenId")).isEqualTo("t1");

        assertThat(loaded(before)).containsExactly("{} {} {} 0");
        assertThat(operators.ask("restore_tokens('bob', " + id + ")")).isNull();
        assertThat(operators.audited("revoke")).containsExactly("ada: tokens");
        assertThat(operators.audited("restore")).containsExactly("bob: tokens");
    }

    @Test
    void requestsThatMakeNoSenseAreRejected() {
        assertThatThrownBy(() -> revoke("null", "null", "null", "null"))
                .hasMessageContaining("give tokenId, subject or issuedBefore");
        assertThatThrownBy(() -> revoke("'t'", "'bob'", "null", "null")).hasMessageContaining("either tokenId");
        assertThatThrownBy(() -> revoke("null", "null", "now() + interval '1 hour'", "null"))
                .hasMessageContaining("issuedBefore is in the future");
        assertThatThrownBy(() -> revoke("'t'", "null", "null", "now() - interval '1 hour'"))
                .hasMessageContaining("expiresAt is in the past");
    }

    @Test
    void theNumberOfRevocationsIsBounded() {
        operators.ask("revoke_tokens('ada', 't1', null, null, null, 1)");

        assertThatThrownBy(() -> operators.ask("revoke_tokens('ada', 't2', null, null, null, 1)"))
                .hasMessageContaining("there are 1 revocations already");
    }

    @Test
    void pagesFollowEachOther() {
        for (String id : List.of("'a'", "'b'", "'c'")) {
            revoke(id, "null", "null", "null");
        }
        assertThat(operators.each("list_revocations(null, 2)", "revocations", "tokenId")).containsExactly("c", "b");
        String next = operators.ask("list_revocations(null, 2)", "pagination,next");

        assertThat(operators.each("list_revocations(" + next + ", 2)", "revocations", "tokenId")).containsExactly("a");
        assertThat(operators.ask("list_revocations(" + next + ", 2)", "pagination,next")).isNull();
    }

    @Test
    void oldRecordsOfTheAuditAndExpiredRevocationsAreRemoved() {
        api.execute(
                "insert into queen.audit (at, actor, action, target) select now() - d * interval '1 day', 'x', 'y', 'z'"
                        + " from unnest(array[0, 364, 366, 400, 500]) d");
        revoke("'young'", "null", "null", "'2100-01-01'");
        revoke("'old'", "null", "null", "'2100-01-01'");
        api.execute(
                "update queen.token_revocation set expires_at = now() - interval '1 second' where token_id = 'old'");
        api.execute("delete from queen.audit where action = 'revoke'");
        long before = version();

        assertThat(operators.ask("roll_off_audit(365, 2)")).isEqualTo("2");
        assertThat(operators.ask("roll_off_audit(365, 2)")).isEqualTo("1");
        assertThat(operators.ask("roll_off_audit(365, 2)")).isEqualTo("0");

        assertThat(Rows.number(api.connection(), "select count(*) from queen.audit")).isEqualTo(2);
        assertThat(loaded(before)).containsExactly("{young} {} {} 0");
        assertThat(version()).isEqualTo(before + 1);
    }

    @Test
    void rejectedActionsAndAddressesAreInTheAudit() {
        api.execute("select " + api.schema() + ".record_rejections(array[null, 'bob'], array['10.0.0.7', '10.0.0.8'],"
                + " array['POST /x', 'DELETE /y'], array['no_token', 'forbidden'], array['/x', '/y'], array[3, 1]::bigint[])");
        api.execute("select case when set_config('queen.client_address', '10.0.0.9', true) is not null then "
                + api.schema() + ".audit('ada', 'pause', 'queue q', null, null) end");
        api.execute("select " + api.schema() + ".audit('ada', 'resume', 'queue q', null, null)");

        assertThat(operators.each("list_audit(null, null, null, null, null, null, 10)", "records", "address"))
                .containsExactly(null, "10.0.0.9", "10.0.0.8", "10.0.0.7");
        assertThat(
                operators.ask("list_audit(null, 'rejected', 'POST /x', null, null, null, 10)", "records,0,after,count"))
                .isEqualTo("3");
        assertThat(operators.each("list_audit(null, 'rejected', null, null, null, null, 10)", "records", "actor"))
                .containsExactly("bob", "anonymous");
    }

    private void revoke(String tokenId, String subject, String issuedBefore, String expiresAt) {
        operators.ask(REVOKE.formatted(tokenId, subject, issuedBefore, expiresAt));
    }

    private long version() {
        return Rows.number(api.connection(), "select version from queen.token_revocation_version");
    }

    private List<String> loaded(long version) {
        return Rows.strings(api.connection(),
                "select token_ids::text || ' ' || subjects::text || ' ' || subjects_before::text || ' ' || issued_before from "
                        + api.schema() + ".token_revocations(" + version + ")");
    }
}
