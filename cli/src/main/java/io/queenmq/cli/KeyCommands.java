package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.Keys;
import io.queenmq.client.operator.Keys.ApiKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen keys …}; without a subcommand {@code queen keys encryption}. */
@Command(name = "keys", description = "Manage API keys: create, list, revoke. Count messages by encryption key: encryption.", synopsisSubcommandLabel = "COMMAND", subcommands = EncryptionKeysCommand.class)
final class KeyCommands implements Callable<Integer> {
    private static final List<Column<ApiKey>> COLUMNS = List.of(Column.of("name", ApiKey::name),
            Column.of("rights", key -> key.rights() == null ? null : String.join(" ", key.rights())),
            Column.of("role", ApiKey::role), Column.of("createdBy", ApiKey::createdBy),
            Column.of("createdAt", ApiKey::createdAt), Column.of("lastUsedAt", ApiKey::lastUsedAt),
            Column.of("expiresAt", ApiKey::expiresAt), Column.of("revokedAt", ApiKey::revokedAt),
            Column.wide("revokedBy", ApiKey::revokedBy), Column.wide("id", ApiKey::id));

    @ParentCommand
    private QueenCommand root;

    QueenCommand root() {
        return root;
    }

    @Override
    public Integer call() {
        return EncryptionKeysCommand.show(root);
    }

    /** Converts {@code 90d}, meaning 90 days from now, or a time. */
    static final class ToFuture implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            return text.matches("(\\d+(ms|s|m|h|d))+")
                    ? Instant.now().plus(Moments.duration(text))
                    : Moments.instant(text);
        }
    }

    enum KeyRole {
        ADMIN("admin"),
        READ_WRITE("read-write"),
        READ_ONLY("read-only");

        private final String word;

        KeyRole(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    @Command(description = "Create a key and print it. The server stores only its hash: the key cannot be printed again.")
    int create(@Parameters(paramLabel = "NAME", description = "Name of the key.") String name,
            @Option(names = "--rights", paramLabel = "RIGHTS", description = "Rights on queues, such as push:orders or pop,read:billing/*. Repeat the option for more entries.") List<String> rights,
            @Option(names = "--role", paramLabel = "ROLE", description = "Role: ${COMPLETION-CANDIDATES}. With --rights, an upper bound.") @Nullable KeyRole role,
            @Option(names = "--expires", paramLabel = "TIME", converter = ToFuture.class, description = "Expiry: 90d from now, or 2027-01-31. Default: the key does not expire.") @Nullable Instant expiresAt) {
        if (rights == null && role == null) {
            throw CommandFailed.byUser("rights are missing; use --rights, such as --rights push:orders, or --role");
        }
        Keys.CreatedKey created = keys().create(name, rights, role == null ? null : role.word, expiresAt);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("key", created.secret());
        document.put("name", name);
        root.output().done(created.secret(), document);
        return ExitCode.OK;
    }

    @Command(description = "List keys with their rights and last use, valid ones first.")
    int list() {
        root.output().list(COLUMNS, keys().list());
        return ExitCode.OK;
    }

    @Command(description = "Revoke a key. All servers reject it within a second.")
    int revoke(@Parameters(paramLabel = "NAME", description = "Name of the key.") String name,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        root.confirm(isSure, "Revoke the key " + name + "? All requests with this key will be rejected.");
        keys().revoke(name);
        root.output().done("revoked " + name, Map.of("revoked", name));
        return ExitCode.OK;
    }

    private Keys keys() {
        return root.operator().keys();
    }
}
