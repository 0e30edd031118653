package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The SQL files have the form that the README of this Maven module describes. */
class SqlTidyTest {
    private static final Path FOLDER = Path.of("src/main/resources/queen/schema");
    private static final int LINES_MAX = 200;
    /** The migrations with all tables may be longer. */
    private static final int MIGRATION_LINES_MAX = 600;
    private static final Pattern HEADER = Pattern.compile("(?s)\nas \\$\\$\n-- Promise:  .+\n-- Params:   .+\n"
            + "-- Returns:  .+\n-- Locks:    .+\n-- Writes:   [^\n]+\n(?!--).*");
    /** The tables of a shard, as one alternative of a pattern. */
    private static final String SHARD_TABLE = tablesOf("0002_shard.sql");
    /** The tables of the catalog, as one alternative of a pattern. */
    private static final String CATALOG_TABLE = tablesOf("0001_catalog.sql");
    private static final Pattern JOIN_A_PLAN_CAN_TURN_ROUND = Pattern.compile(
            "join (?:queen\\.[a-z_]+|" + CATALOG_TABLE + "|" + SHARD_TABLE + ") ([a-z]) on \\1\\.[a-z_]+ = (?!any)");
    private static final Pattern SHARD_TABLE_OF_A_SCHEMA = Pattern
            .compile("(?:from|join|into|update|using|truncate) [a-z_]+\\." + SHARD_TABLE + "\\b");
    private static final Pattern SHARD_TABLE_BY_NAME = Pattern
            .compile("(?:from|join|into|update|using) " + SHARD_TABLE + "\\b");

    private static final Pattern CATALOG_TABLE_WRITTEN_BY_NAME = Pattern
            .compile("(?:into|update|delete from|truncate) " + CATALOG_TABLE + "\\b");
    private static final Pattern CATALOG_TABLE_LOCKED_BY_NAME = Pattern
            .compile("(?:from|join) " + CATALOG_TABLE + "\\b[^;()]*\\bfor (?:no key update|update|key share|share)\\b");

    /** Called by the engine and by upkeep, whose sessions have {@link Schema#SESSION_SETTINGS}. */
    private static final Set<String> CALLED_BY_SESSIONS_WITH_SETTINGS = Set.of("ack", "apply_eviction",
            "apply_retention", "catch_up", "configure", "create_queues", "cycle", "delete_idle_partitions", "evict",
            "expire", "delete_lease_partitions", "lease", "nack", "open_cursors", "push", "push_bounded", "read_state",
            "register_query", "release", "renew", "report_numbers", "report_presence", "roll_off", "roll_off_audit",
            "roll_off_numbers", "schedule_upkeep", "sweep_state", "touch_partitions", "transact", "bind_messages",
            "count_keys", "encrypted_queues", "record_letter_check", "record_queue_check", "record_keys",
            "reencrypt_dead_letter", "reencrypt_segment", "reencrypt_state", "replace_run", "record_state_check");
    /** Routines that write few rows of the catalog or of other tables. */
    private static final Set<String> WRITING_FEW_ROWS = Set.of("cancel_redrive", "change_subscription", "create_key",
            "finish_redrive", "delay_redrive", "install_key", "record_key_use", "record_spool_decision", "pause_group",
            "pause_queue", "prepare_local", "record_rejections", "restore_tokens", "revoke_key", "revoke_tokens",
            "set_maintenance");

    /** Finds a subquery for the newest version of a row, unless the subquery locks the row. */
    private static final Pattern NEWEST_VERSION_READ = Pattern
            .compile("(?s)select (?!\\w\\.ctid from)[^;()]*? from (?:partition|cursor) (\\w)"
                    + "\\s+where [^;]{0,200}?order by \\1\\.generation desc\\s+limit 1(?!\\s+for )");

    private final List<Script> scripts = Script.all();

    @Test
    void indexNamesEveryFileOnceMigrationsFirst() throws IOException {
        assertThat(scripts).extracting(Script::path).isEqualTo(files());
    }

    @Test
    void everyRoutineIsInTheDirectoryOfAFeatureOrInItsInternalOrOperatorDirectory() {
        assertThat(routines()).extracting(Script::path)
                .allMatch(path -> path.matches("[a-z_]+/((internal|operator)/)?[a-z_]+\\.sql"));
        assertThat(routines()).extracting(Script::name).doesNotHaveDuplicates();
    }

    /** A routine that no other routine calls is not a helper. */
    @Test
    void everyInternalRoutineIsCalledByAnother() {
        assertThat(routines()).filteredOn(Script::isInternal).allSatisfy(helper -> assertThat(scripts).as(helper.path())
                .anyMatch(script -> !script.equals(helper) && script.text().contains(":api." + helper.name() + "(")));
    }

    @Test
    void migrationsAreListedAscendingByNumber() {
        assertThat(Release.load().migrations()).extracting(Migration::number).isSorted().doesNotHaveDuplicates()
                .startsWith(1);
    }

    @Test
    void everyRoutineIsInAFileOfItsName() {
        assertThat(routines()).allSatisfy(
                script -> assertThat(script.text()).startsWith("create function :api." + script.name() + "("));
        assertThat(routines()).allSatisfy(
                script -> assertThat(script.text().split("create function", -1)).as(script.path()).hasSize(2));
    }

    @Test
    void everyRoutineHasTheFiveLinesOfItsHeader() {
        assertThat(routines())
                .allSatisfy(script -> assertThat(HEADER.matcher(script.text()).find()).as(script.path()).isTrue());
    }

    @Test
    void everyUpdateOfWritesUpdatesTheGeneration() {
        assertThat(routines()).allSatisfy(script -> assertThat(script.text()
                .replaceAll("writes = (\\w)\\.writes \\+ 1,\\s+generation = \\(\\1\\.writes \\+ 1\\) / 256", ""))
                .as(script.path()).doesNotContain("writes = ", "generation = "));
    }

    /** The inlines {@code newest_partition}, {@code newest_cursor} and {@code newest_cursor_row} define how it is found. */
    @Test
    void newestVersionsOfPartitionsAndCursorsAreReadByInlines() {
        assertThat(routines()).allSatisfy(
                script -> assertThat(NEWEST_VERSION_READ.matcher(script.text()).results().map(MatchResult::group))
                        .as(script.path()).isEmpty());
    }

    @Test
    void noFileIsLongerThanItCanBeRead() {
        assertThat(scripts).allSatisfy(script -> assertThat(script.text().lines().count()).as(script.path())
                .isLessThanOrEqualTo(script.isIn("migrations") ? MIGRATION_LINES_MAX : LINES_MAX));
    }

    @Test
    void linesHaveNoTabsAndEndCleanly() {
        assertThat(scripts).allSatisfy(script -> {
            assertThat(script.text()).as(script.path()).doesNotContain("\t", "\r").endsWith("\n");
            assertThat(script.text().lines()).as(script.path()).noneMatch(line -> line.endsWith(" "));
        });
    }

    @Test
    void routinesCallEachOtherInTheirOwnSetOnly() {
        assertThat(routines())
                .allSatisfy(script -> assertThat(script.text()).as(script.path()).doesNotContain(RoutineSet.PREFIX));
    }

    @Test
    void tablesAreJoinedSoThatNoPlanReadsThemFromEndToEnd() {
        assertThat(routines()).filteredOn(script -> !script.isForOperators())
                .allSatisfy(script -> assertThat(JOIN_A_PLAN_CAN_TURN_ROUND.matcher(script.text()).results()
                        .map(match -> match.group()).filter(join -> !isNameOfAQuery(join.split(" ")[1], script)))
                        .as(script.path()).isEmpty());
    }

    /**
     * A session without the settings of servers may plan a table scan for each partition or key. Therefore a routine
     * that writes has the settings itself, or is called only by sessions that have them, or writes few rows.
     */
    @Test
    void routinesThatWriteArePlannedByKeyInEverySession() {
        assertThat(routines()).filteredOn(script -> !script.isInternal())
                .filteredOn(script -> !script.text().contains("\n-- Writes:   nothing\n"))
                .filteredOn(script -> !script.text().contains("\n:plans_by_key\nas $$\n")).extracting(Script::name)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(CALLED_BY_SESSIONS_WITH_SETTINGS.stream(), WRITING_FEW_ROWS.stream()).toList());
    }

    /** Returns true for the name of a common table expression. */
    private static boolean isNameOfAQuery(String name, Script script) {
        return Pattern.compile("\\b" + Pattern.quote(name) + " as (?:materialized )?\\(").matcher(script.text()).find();
    }

    /** The search_path selects the shard. */
    @Test
    void tablesOfShardsAreNamedWithoutASchema() {
        assertThat(expanded()).allSatisfy(script -> assertThat(
                SHARD_TABLE_OF_A_SCHEMA.matcher(script.text()).results().map(match -> match.group())).as(script.path())
                .isEmpty());
    }

    /** A name without a schema may mean the copy of the catalog on this node, which is only read. */
    @Test
    void theCatalogIsWrittenAndLockedInItsSchema() {
        assertThat(routines()).allSatisfy(script -> {
            assertThat(CATALOG_TABLE_WRITTEN_BY_NAME.matcher(script.text()).results().map(match -> match.group()))
                    .as(script.path()).isEmpty();
            assertThat(CATALOG_TABLE_LOCKED_BY_NAME.matcher(script.text()).results().map(match -> match.group()))
                    .as(script.path()).isEmpty();
        });
    }

    /** Citus rejects such functions, or reads nothing. */
    @Test
    void functionsInSqlReadNoTablesOfShards() {
        assertThat(expanded()).filteredOn(script -> script.text().contains("language sql")).allSatisfy(
                script -> assertThat(SHARD_TABLE_BY_NAME.matcher(script.text()).results().map(match -> match.group()))
                        .as(script.path()).isEmpty());
    }

    private static String tablesOf(String migration) {
        return Script.all().stream().filter(script -> script.path().endsWith(migration)).flatMap(
                script -> Pattern.compile("create table (?::shard|queen)\\.([a-z_]+)").matcher(script.text()).results())
                .map(match -> match.group(1)).collect(Collectors.joining("|", "(?:", ")"));
    }

    private List<Script> routines() {
        return scripts.stream().filter(Script::isRoutine).toList();
    }

    private List<Script> expanded() {
        return RoutineSet.expand(scripts).stream().filter(Script::isRoutine).toList();
    }

    private static List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(FOLDER)) {
            var order = Map.of("migrations", 0, "inline", 1, "views", 3);
            return all.filter(file -> file.toString().endsWith(".sql")).map(FOLDER::relativize)
                    .sorted(Comparator.<Path>comparingInt(file -> order.getOrDefault(file.getName(0).toString(), 2))
                            .thenComparing(Path::toString))
                    .map(Path::toString).toList();
        }
    }
}
