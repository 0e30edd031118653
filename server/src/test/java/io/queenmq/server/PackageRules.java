package io.queenmq.server;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packages that each package of the Maven modules {@code engine} and {@code server} uses. Everything that is not in the table
 * is forbidden, and an entry that is not needed must be removed. A package may only use packages above its own line, so that there
 * are no cycles. Names are relative to {@code io.queenmq}.
 */
final class PackageRules {
    static final String ROOT = "io.queenmq.";

    private static final String TABLE = """
            engine.budget :
            engine.config :
            engine.queue :
            engine.reply :
            engine.time :
            engine.connection : engine.time
            engine.batch : engine.config engine.connection engine.reply engine.time
            engine.partition : engine.batch engine.budget engine.config engine.connection engine.queue \
                engine.reply engine.time
            engine.cipher : engine.config engine.partition
            engine.command : engine.budget engine.partition engine.queue engine.reply
            engine.lease : engine.partition
            engine.catalog : engine.batch engine.command engine.config engine.connection engine.queue engine.reply \
                engine.time
            engine.numbers : engine.batch engine.catalog engine.connection engine.queue engine.reply engine.time
            engine.cluster : engine.config engine.numbers engine.queue engine.time
            engine.pop : engine.batch engine.budget engine.catalog engine.cluster engine.command engine.config \
                engine.connection engine.lease engine.numbers engine.partition engine.queue engine.reply engine.time
            engine.push : engine.batch engine.catalog engine.cipher engine.command engine.config engine.connection \
                engine.numbers engine.partition engine.queue engine.reply engine.time
            engine.renew : engine.batch engine.catalog engine.command engine.connection engine.lease engine.reply
            engine.spool : engine.catalog engine.cipher engine.command engine.config engine.connection engine.push \
                engine.queue engine.reply engine.time
            engine.ack : engine.batch engine.catalog engine.cipher engine.command engine.connection engine.lease \
                engine.numbers engine.partition engine.push engine.queue engine.reply
            engine.unit : engine.ack engine.batch engine.catalog engine.cipher engine.command engine.config \
                engine.connection engine.lease engine.numbers engine.partition engine.push engine.reply \
                engine.time
            engine.stream : engine.ack engine.batch engine.catalog engine.cipher engine.command \
                engine.connection engine.lease engine.numbers engine.partition engine.push engine.queue \
                engine.reply engine.time engine.unit
            engine.transact : engine.ack engine.batch engine.catalog engine.command engine.connection \
                engine.lease engine.partition engine.push engine.reply engine.time engine.unit
            engine : engine.ack engine.batch engine.budget engine.catalog engine.cipher engine.cluster \
                engine.command engine.config engine.connection engine.lease engine.numbers engine.partition \
                engine.pop engine.push engine.queue engine.renew engine.reply engine.spool engine.stream \
                engine.time engine.transact engine.unit
            server.config : engine.config
            server.http.json :
            server.postgres : engine.connection engine.time server.config
            server.doctor : engine.config engine.time server.config server.postgres
            server.auth : engine.config engine.time server.config server.postgres
            server.http.server : engine.config engine.reply engine.time server.auth server.config server.http.json
            server.operator : engine.cipher engine.connection engine.reply engine.time server.config \
                server.postgres
            server.upkeep : engine.cipher engine.connection engine.time server.config server.postgres
            server.keys : engine.reply engine.time server.auth server.operator
            server.cluster : engine.cluster engine.config engine.numbers server.config server.postgres
            server.http.access : engine.catalog engine.queue engine.time server.auth server.http.server \
                server.keys server.operator
            server.http.openapi : engine.queue server.auth server.http.access server.http.server
            server.engine : engine engine.batch engine.catalog engine.cipher engine.cluster engine.command \
                engine.config engine.connection engine.numbers engine.reply engine.spool engine.time server.config \
                server.postgres
            server.http.message : engine engine.budget engine.catalog engine.cipher engine.command \
                engine.partition engine.push engine.queue engine.reply engine.time server.auth server.config \
                server.http.access server.http.json server.http.server
            server.http.operator : engine engine.catalog engine.cluster engine.command engine.numbers engine.reply \
                engine.spool engine.time server.auth server.config server.http.access server.http.json \
                server.http.server server.keys server.operator
            server.http.stream : engine engine.command engine.push server.auth server.http.access server.http.json \
                server.http.message server.http.server
            server.redrive : engine engine.cipher engine.command engine.connection engine.partition engine.push \
                engine.time server.config server.operator server.postgres
            server.http : engine engine.cipher engine.numbers engine.push engine.time server.auth server.config \
                server.http.access server.http.message server.http.openapi server.http.operator server.http.server \
                server.http.stream server.operator
            server : engine.cipher engine.cluster engine.command engine.config engine.connection engine.numbers \
                engine.spool engine.time server.auth server.cluster server.config server.engine server.http \
                server.http.access server.http.server server.keys server.operator server.postgres server.redrive \
                server.upkeep
            """;

    private static final Pattern FIRST_SENTENCE = Pattern.compile("/\\*\\*(.*?\\.)(?:\\s|\\*/)", Pattern.DOTALL);

    private PackageRules() {}

    /** Returns the packages that each package may use, in the order of the table. */
    static Map<String, Set<String>> allowed() {
        Map<String, Set<String>> allowed = new LinkedHashMap<>();
        TABLE.lines().forEach(line -> {
            String[] sides = line.split(":");
            Set<String> used = sides.length == 1 ? Set.of() : Set.of(sides[1].strip().split("\\s+"));
            allowed.put(sides[0].strip(), new TreeSet<>(used));
        });
        return allowed;
    }

    /** Returns the packages that each package uses. */
    static Map<String, Set<String>> actual(JavaClasses code) {
        Map<String, Set<String>> actual = new LinkedHashMap<>();
        for (JavaClass type : code) {
            Set<String> used = actual.computeIfAbsent(nameOf(type), _ -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (code.contain(target.getName()) && !nameOf(target).equals(nameOf(type))) {
                    used.add(nameOf(target));
                }
            }
        }
        return actual;
    }

    private static String nameOf(JavaClass type) {
        return type.getPackageName().substring(ROOT.length());
    }

    /** Returns every difference between the table and the code, in words. */
    static List<String> violations(Map<String, Set<String>> allowed, Map<String, Set<String>> actual) {
        List<String> violations = new ArrayList<>();
        Set<String> names = new TreeSet<>(allowed.keySet());
        names.addAll(actual.keySet());
        for (String name : names) {
            if (!actual.containsKey(name)) {
                violations.add(name + " does not exist; remove its line");
            } else if (!allowed.containsKey(name)) {
                violations.add(name + " has no line");
            } else {
                Set<String> forbidden = new TreeSet<>(actual.get(name));
                forbidden.removeAll(allowed.get(name));
                forbidden.forEach(used -> violations.add(name + " must not use " + used));
                Set<String> unused = new TreeSet<>(allowed.get(name));
                unused.removeAll(actual.get(name));
                unused.forEach(used -> violations.add(name + " does not use " + used + "; remove it from the line"));
            }
        }
        return violations;
    }

    /** Returns the uses of packages that are below the using package in the table. */
    static List<String> upward(Map<String, Set<String>> allowed) {
        List<String> upward = new ArrayList<>();
        List<String> above = new ArrayList<>();
        allowed.forEach((name, used) -> {
            used.stream().filter(each -> !above.contains(each))
                    .forEach(each -> upward.add(name + " uses " + each + ", which is not above it"));
            above.add(name);
        });
        return upward;
    }

    /**
     * Returns the table for ARCHITECTURE.md. The description of a package is the first sentence of its Javadoc.
     *
     * @param repository the root directory of the repository
     */
    static String markdown(Path repository) throws IOException {
        StringBuilder table = new StringBuilder("| package | contents | uses |\n|---|---|---|\n");
        for (Map.Entry<String, Set<String>> each : allowed().entrySet()) {
            table.append("| `").append(each.getKey()).append("` | ").append(description(repository, each.getKey()))
                    .append(" | ")
                    .append(each.getValue().isEmpty() ? "–" : "`" + String.join("`, `", each.getValue()) + "`")
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String description(Path repository, String name) throws IOException {
        String module = name.split("\\.")[0];
        String info = Files.readString(repository
                .resolve(module + "/src/main/java/io/queenmq/" + name.replace('.', '/') + "/package-info.java"));
        Matcher sentence = FIRST_SENTENCE.matcher(info);
        if (!sentence.find()) {
            throw new IllegalStateException("the Javadoc of " + name + " has no sentence");
        }
        return sentence.group(1).replaceAll("\\s+\\*?\\s*", " ").replaceAll("\\{@\\w+ (?:[\\w.]+\\.)?([^}]+)}", "`$1`")
                .strip();
    }
}
