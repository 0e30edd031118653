package io.queenmq.server.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.server.http.TestApi;
import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.operator.OperatorRoutes;
import io.queenmq.server.http.operator.Parameter;
import io.queenmq.server.http.operator.Parameter.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The API descriptions are complete and have no superfluous entries. A failure contains the missing text. */
class OpenApiTest {
    private static final ApiDescriptions DESCRIPTIONS = ApiDescriptions.load();
    private static TestApi api;
    private static JsonNode document;

    @BeforeAll
    static void read() throws Exception {
        api = new TestApi();
        document = new ObjectMapper().readTree(api.get("/openapi.json").body());
    }

    @AfterAll
    static void close() throws Exception {
        api.close();
    }

    @Test
    void everyRouteIsDescribed() {
        List<String> missing = new ArrayList<>();
        for (Address address : api.addresses()) {
            JsonNode about = DESCRIPTIONS.byAddress().get(address.toString());
            if (about == null || about.path("summary").asText().isBlank() || about.path("answers").isEmpty()) {
                missing.add(skeleton(address));
            }
        }
        assertThat(missing).as("add this to a file of resources/queen/api").isEmpty();
    }

    @Test
    void everyDescriptionBelongsToARoute() {
        Set<String> described = new HashSet<>(DESCRIPTIONS.byAddress().keySet());
        api.addresses().forEach(address -> described.remove(address.toString()));

        assertThat(described).isEmpty();
    }

    @Test
    void exactlyTheParametersOfOperatorRoutesAreDescribed() {
        List<String> wrong = new ArrayList<>();
        for (Address address : api.addresses()) {
            JsonNode about = DESCRIPTIONS.byAddress().get(address.toString());
            if (about != null && given(address).findAny().isPresent()) {
                Set<String> described = fieldsOf(about.path("parameters"));
                described.addAll(fieldsOf(about.path("body")));
                Set<String> expected = given(address).map(Parameter::name).collect(Collectors.toSet());
                if (!described.equals(expected)) {
                    wrong.add(address + " has the parameters " + expected + ", but the description has " + described);
                }
                given(address).filter(each -> each.source() == Source.BODY)
                        .filter(each -> !fieldsOf(about.path("body")).contains(each.name()))
                        .forEach(each -> wrong.add(address + ": " + each.name() + " must be described in the body"));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyNameInAPathIsDescribed() {
        List<String> wrong = new ArrayList<>();
        for (Address address : api.addresses()) {
            JsonNode about = DESCRIPTIONS.byAddress().get(address.toString());
            for (String segment : address.path().split("/")) {
                if (about != null && segment.startsWith(":") && !about.path("parameters").has(segment.substring(1))) {
                    wrong.add(address.toString() + ": parameters should have " + segment.substring(1));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void theDocumentHasTheFormOfOpenApi() {
        assertThat(document.get("openapi").asText()).isEqualTo("3.1.0");
        assertThat(document.get("info").get("version").asText()).isEqualTo("test");
        int operations = 0;
        for (JsonNode path : document.get("paths")) {
            for (JsonNode operation : path) {
                operations++;
                assertThat(operation.get("responses").has("default")).isTrue();
                for (JsonNode parameter : operation.path("parameters")) {
                    assertThat(parameter.get("in").asText()).isIn("path", "query");
                    assertThat(parameter.get("schema").isObject()).isTrue();
                    assertThat(parameter.get("description").asText()).isNotBlank();
                }
            }
        }
        assertThat(operations).isEqualTo(api.addresses().size());
        assertThat(document.get("paths").properties())
                .allSatisfy(path -> assertThat(path.getKey()).startsWith("/").doesNotContain(":"));
    }

    @Test
    void requestsAreDescribedCompletely() {
        JsonNode push = document.get("paths").get("/api/v1/push").get("post");
        JsonNode body = push.get("requestBody").get("content").get("application/json").get("schema");
        assertThat(body.get("required").get(0).asText()).isEqualTo("items");
        assertThat(body.get("properties").get("items").get("items").get("properties").get("traceId").get("format")
                .asText()).isEqualTo("uuid");
        assertThat(push.get("x-access").asText()).isEqualTo("read-write");
        assertThat(push.get("security").get(0).has("token")).isTrue();
        JsonNode partition = document.get("paths").get("/api/v1/pop/queue/{queue}/partition/{partition}").get("get");
        assertThat(partition.get("parameters").get(0).get("in").asText()).isEqualTo("path");
        assertThat(partition.get("parameters").get(2).get("schema").get("type").asText()).isEqualTo("integer");
        assertThat(document.get("paths").get("/health").get("get").has("security")).isFalse();
    }

    @Test
    void theDocumentHasSecurityHeaders() throws Exception {
        assertThat(api.get("/openapi.json").headers().map())
                .containsKeys("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")
                .doesNotContainKey("strict-transport-security");
    }

    private static Set<String> fieldsOf(JsonNode form) {
        return form.properties().stream().map(each -> each.getKey().replace("*", ""))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns the parameters of a request to an operator's route; none for other routes. */
    private static Stream<Parameter> given(Address address) {
        return OperatorRoutes.all().stream().filter(route -> route.address().equals(address))
                .flatMap(route -> route.parameters().stream()).filter(parameter -> parameter.source() != Source.ACTOR);
    }

    private static String skeleton(Address address) {
        return """

                "%s": {
                  "summary": "",
                  "parameters": {%s},
                  "body": {%s},
                  "answers": {"200": {}}
                }""".formatted(address, fields(given(address).filter(each -> each.source() != Source.BODY)),
                fields(given(address).filter(each -> each.source() == Source.BODY)));
    }

    private static String fields(Stream<Parameter> parameters) {
        return parameters.map(each -> "\"" + each.name() + "\": \"string: \"").collect(Collectors.joining(", "));
    }
}
