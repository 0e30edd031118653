package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The options that the command line describes are those of the server. */
class OptionSchemasTest {
    private static final Path COPY = Path.of("src/main/resources" + OptionSchemas.RESOURCE);

    @RegisterExtension
    static final CliServer queen = new CliServer();

    /** To write the copy again, run this with -Dqueen.write-docs=true. */
    @Test
    void theCopyEqualsTheSchemasOfTheServer() throws Exception {
        ObjectMapper json = new ObjectMapper();
        JsonNode schemas = json.readTree(openApi()).at("/components/schemas/QueueOptions/properties");
        assertThat(schemas.isObject()).isTrue();
        String expected = json.writerWithDefaultPrettyPrinter().writeValueAsString(schemas) + "\n";
        if (Boolean.getBoolean("queen.write-docs")) {
            Files.createDirectories(COPY.getParent());
            Files.writeString(COPY, expected);
        }

        assertThat(COPY).as("run this test with -Dqueen.write-docs=true to write the copy").hasContent(expected);
    }

    @Test
    void helpListsEveryOptionWithItsRangeAndDefault() {
        String help = queen.run("queue", "configure", "--help").ok().out().replaceAll("\\s+", " ");

        OptionSchemas.all().forEach(each -> assertThat(help).contains(" " + each.getKey() + " ")
                .contains(each.getValue().get("description").asText() + " (" + OptionSchemas.rangeOf(each.getValue())));
        assertThat(help).contains("0 to 604800 s, 0: 1 min, default 300)", "(true or false, default false)",
                "(1 to 10, default 1.0)", "0: no limit, 3600: no limit, default 3600)", "Example:");
    }

    private static String openApi() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(queen.url() + "/openapi.json")).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
