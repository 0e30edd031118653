package io.queenmq.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The packed server: complete, for all platforms, and for Java 21. */
class ServerJarTest {
    private static final Path JAR = Path.of("target/classes/META-INF/queen/test-server.jar");

    /** Downloads keys for tokens. The server of tests has no authentication. */
    private static final Set<String> NOT_CALLED = Set.of("java.net.http.HttpResponse$BodyHandlers.limiting"
            + "(Ljava/net/http/HttpResponse$BodyHandler;J)Ljava/net/http/HttpResponse$BodyHandler;");

    /** Without a Java 21 in the build, this is the reason to expect that the server runs on one. */
    @Test
    void theServerUsesTheApiOfJava21Only() throws IOException {
        Set<String> missing = new TreeSet<>();
        Map<String, Set<String>> known = new HashMap<>();
        int classes = 0;
        int switches = 0;
        try (JarFile jar = new JarFile(JAR.toFile()); ReleaseApi api = new ReleaseApi(ServerJar.JAVA)) {
            for (var entry : jar.stream().filter(each -> each.getName().matches("io/queenmq/.*\\.class")).toList()) {
                classes++;
                try (InputStream in = jar.getInputStream(entry)) {
                    for (PoolEntry constant : ClassFile.of().parse(in.readAllBytes()).constantPool()) {
                        if (constant instanceof InvokeDynamicEntry call
                                && call.name().equalsString(Java21ClassFile.SWITCH)) {
                            // Java 21 fails at the first call of a switch with another type.
                            assertThat(call.type().stringValue()).isEqualTo(Java21ClassFile.SWITCH_TYPE);
                            switches++;
                        }
                        if (constant instanceof ClassEntry type) {
                            check(api, known, type.asInternalName(), null, missing);
                        } else if (constant instanceof MemberRefEntry member) {
                            check(api, known, member.owner().asInternalName(),
                                    member.name().stringValue() + member.type().stringValue(), missing);
                        }
                    }
                }
            }
        }
        assertThat(classes).isGreaterThan(500);
        assertThat(switches).isGreaterThan(10);
        assertThat(known.keySet()).contains("java.lang.String", "java.util.List");
        assertThat(missing).isEqualTo(NOT_CALLED);
    }

    private static void check(ReleaseApi api, Map<String, Set<String>> known, String type, String member,
            Set<String> missing) {
        if (!type.matches("(java|javax|jdk|com/sun|org/w3c|org/xml)/.*")) {
            return;
        }
        String name = type.replace('/', '.');
        Set<String> members = known.computeIfAbsent(name, api::members);
        if (members.isEmpty() || member != null && !members.contains(member)
                && !name.matches("java\\.lang\\.invoke\\.(MethodHandle|VarHandle)")) {
            missing.add(name + (member == null ? "" : "." + member));
        }
    }

    @Test
    void allClassesAreForJava21() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            for (var entry : jar.stream().filter(each -> each.getName().endsWith(".class")).toList()) {
                try (InputStream in = jar.getInputStream(entry)) {
                    assertThat(in.readNBytes(8)[7]).as(entry.getName())
                            .isLessThanOrEqualTo((byte) Java21ClassFile.VERSION);
                }
            }
        }
    }

    /** The platform of the build must not matter. */
    @Test
    void thereAreNoBinariesOfPostgresInTheJar() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> names = jar.stream().map(Object::toString).collect(Collectors.toList());
            assertThat(names).noneMatch(each -> each.endsWith(".txz"))
                    .contains("META-INF/native/libnetty_transport_native_epoll_x86_64.so",
                            "META-INF/native/libnetty_transport_native_epoll_aarch_64.so", "test-server-logging.xml",
                            "META-INF/services/java.sql.Driver")
                    .noneMatch(each -> each.matches("META-INF/.*\\.(SF|RSA|DSA)"));
            assertThat(names).filteredOn(each -> each.startsWith("META-INF/licenses/")).hasSizeGreaterThan(10);
        }
    }
}
