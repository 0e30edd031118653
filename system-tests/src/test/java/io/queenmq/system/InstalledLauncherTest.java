package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of an installation, and the health check of the container. */
class InstalledLauncherTest {
    private static final Path BIN = ROOT.resolve("deploy/bin");
    private static final Pattern SERVER_OPTIONS = Pattern.compile("^server_options=\"([^\"]*)\"", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @Test
    void bothLaunchersHaveTheSameOptions() {
        assertThat(serverOptions(BIN.resolve("queen"))).contains("-Xmx448m")
                .isEqualTo(serverOptions(ROOT.resolve("queen")));
    }

    @Test
    void theLauncherRunsTheJavaOfTheInstallation() throws Exception {
        Path runtime = Files.createDirectories(folder.resolve("runtime/bin"));
        Path lib = Files.createDirectories(folder.resolve("lib"));
        Files.writeString(lib.resolve("queen.jar"), "");
        Path java = Files.writeString(runtime.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path launcher = Files.copy(BIN.resolve("queen"),
                Files.createDirectories(folder.resolve("bin")).resolve("queen"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), launcher);

        Ran server = run(Map.of("QUEEN_JAVA_OPTS", "-Xmx1g -Da=b"), link, "serve", "two words");
        assertThat(server.code()).isZero();
        assertThat(server.output().lines()).contains("-Xmx448m").endsWith("-Xmx1g", "-Da=b", "-jar",
                folder.toRealPath() + "/lib/queen.jar", "serve", "two words");
        assertThat(run(Map.of(), launcher, "status").output().lines()).contains("-Xmx256m").doesNotContain("-Xmx448m");

        Files.delete(lib.resolve("queen.jar"));
        Ran broken = run(Map.of(), launcher, "serve");
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.output()).contains("queen.jar is missing");
    }

    @ParameterizedTest
    @CsvSource({"200, 0", "503, 1"})
    void theHealthCheckReportsWhetherTheServerAcceptsPushes(int status, int code) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/health/push") ? status : 404, -1);
            exchange.close();
        });
        server.start();
        try {
            assertThat(check(server.getAddress().getPort())).isEqualTo(code);
        } finally {
            server.stop(0);
        }
        assertThat(check(server.getAddress().getPort())).isEqualTo(1);
    }

    private int check(int port) throws Exception {
        return run(Map.of("PORT", Integer.toString(port)), BIN.resolve("queen-health")).code();
    }

    private static String serverOptions(Path launcher) {
        Matcher options = SERVER_OPTIONS.matcher(text(launcher));
        assertThat(options.find()).as(launcher.toString()).isTrue();
        return options.group(1).replaceAll("[\\\\\\s]+", " ");
    }

    private Ran run(Map<String, String> environment, Path program, String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(words));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), output);
    }

    private record Ran(int code, String output) {}
}
