package io.queenmq.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Requests before and after the load. */
final class Control implements AutoCloseable {
    private static final int OK = 200;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final String url;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10)).build();

    Control(String url) {
        this.url = url;
    }

    /** Returns the version of the server. Fails if the server is unhealthy. */
    String version() {
        HttpResponse<String> answer = send(request("/health").GET());
        try {
            JsonNode body = new ObjectMapper().readTree(answer.body());
            if (answer.statusCode() == OK && body != null && body.hasNonNull("version")) {
                return body.get("version").asText();
            }
        } catch (IOException _) {
            // Reported below, like every response that is not of Queen.
        }
        throw new BenchAbortedException("the server at " + url
                + " does not answer GET /health with its version: status " + answer.statusCode() + " " + answer.body());
    }

    void deleteQueue(String queue) {
        HttpResponse<String> answer = send(request("/api/v1/resources/queues/" + queue).DELETE());
        if (answer.statusCode() != OK) {
            throw new BenchAbortedException("the queue " + queue + " could not be deleted: status "
                    + answer.statusCode() + " " + answer.body());
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(ANSWER_MAX);
    }

    private HttpResponse<String> send(HttpRequest.Builder builder) {
        try {
            return http.send(builder.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new BenchAbortedException("no answer from " + url + ": " + why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchAbortedException("interrupted while waiting for " + url, e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
