package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.TokenRevocation;
import io.queenmq.client.operator.Tokens;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen tokens …}. */
@Command(name = "tokens", description = "Revoke tokens before they expire: revoke, revocations, restore.", synopsisSubcommandLabel = "COMMAND")
final class TokenCommands extends Family {
    private static final List<Column<TokenRevocation>> COLUMNS = List.of(Column.of("id", TokenRevocation::id),
            Column.of("tokenId", TokenRevocation::tokenId), Column.of("subject", TokenRevocation::subject),
            Column.of("issuedBefore", TokenRevocation::issuedBefore),
            Column.of("expiresAt", TokenRevocation::expiresAt), Column.of("createdBy", TokenRevocation::createdBy),
            Column.wide("createdAt", TokenRevocation::createdAt));

    @ParentCommand
    private QueenCommand root;

    @Command(description = {"Revoke one token by its jti, or all tokens issued before a time.",
        "All servers reject them within about a second."})
    int revoke(
            @Parameters(arity = "0..1", paramLabel = "TOKEN_ID", description = "The jti of the token.") @Nullable String tokenId,
            @Option(names = "--subject", paramLabel = "SUB", description = "Revoke tokens of this subject that were issued before now, or before --issued-before.") @Nullable String subject,
            @Option(names = "--issued-before", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Revoke tokens issued before this time, such as 2026-01-31T12:00:00Z, or 15m for 15 minutes ago; 0s means now.") @Nullable Instant issuedBefore,
            @Option(names = "--expires", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Remove the revocation at this time, because the tokens have expired by then (default: keep it).") @Nullable Instant expires,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        if (tokenId != null && (subject != null || issuedBefore != null)) {
            throw CommandFailed.byUser("TOKEN_ID cannot be combined with --subject or --issued-before; use either");
        }
        if (tokenId == null && subject == null && issuedBefore == null) {
            throw CommandFailed.byUser("tokens are not specified; use TOKEN_ID, --subject or --issued-before");
        }
        if (tokenId != null) {
            root.output().one(COLUMNS, tokens().revoke(tokenId, expires));
            return ExitCode.OK;
        }
        root.confirm(isSure, "Reject all tokens" + (subject == null ? "" : " of " + subject) + " issued before "
                + (issuedBefore == null ? "now" : issuedBefore) + "?");
        root.output().one(COLUMNS, tokens().revokeIssuedBefore(issuedBefore, subject, expires));
        return ExitCode.OK;
    }

    @Command(description = "List revoked tokens, latest first.")
    int revocations(@Option(names = {"-n",
        "--limit"}, paramLabel = "N", defaultValue = "100", description = "Maximum number of revocations (default: 100).") int limit) {
        root.output().list(COLUMNS, tokens().revocations(null, limit));
        return ExitCode.OK;
    }

    @Command(description = "Remove a revocation, so that its tokens are accepted again.")
    int restore(@Parameters(paramLabel = "ID", description = "The id of the revocation.") long id) {
        root.output().one(COLUMNS, tokens().restore(id));
        return ExitCode.OK;
    }

    private Tokens tokens() {
        return root.operator().tokens();
    }
}
