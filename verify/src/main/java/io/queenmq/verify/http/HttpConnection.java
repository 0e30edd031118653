package io.queenmq.verify.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server for one request at a time. It never repeats a request. After an {@link IOException} the
 * connection must be closed: the outcome of its last request is unknown. Owned by one thread.
 */
public final class HttpConnection implements AutoCloseable {
    private static final int CONNECT_MS = 2_000;
    private static final int LINE_BYTES_MAX = 16 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String host;
    private final @Nullable String token;

    private HttpConnection(Socket socket, String host, @Nullable String token) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
        this.out = socket.getOutputStream();
        this.host = host;
        this.token = token;
    }

    /**
     * Connects to a server.
     *
     * @param token sent as a bearer token; null for none
     * @throws IOException if the connection is not established; no request was sent then
     */
    public static HttpConnection open(URI server, @Nullable String token) throws IOException {
        boolean isTls = "https".equals(server.getScheme());
        int port = server.getPort() >= 0 ? server.getPort() : isTls ? 443 : 80;
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(server.getHost(), port), CONNECT_MS);
            if (isTls) {
                socket.setSoTimeout(CONNECT_MS);
                socket = ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(socket, server.getHost(), port,
                        true);
            }
            return new HttpConnection(socket, server.getHost() + ":" + port, token);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A response. */
    public record Response(int status, byte[] body) {}

    /**
     * Sends a request and returns its response.
     *
     * @param body null for a request without a body
     * @throws IOException if the complete response was not received within the time
     */
    public Response call(String method, String target, @Nullable String body, Duration within) throws IOException {
        socket.setSoTimeout((int) within.toMillis());
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(160).append(method).append(' ').append(target)
                .append(" HTTP/1.1\r\nHost: ").append(host).append("\r\nContent-Length: ").append(bytes.length);
        if (body != null) {
            head.append("\r\nContent-Type: application/json");
        }
        if (token != null) {
            head.append("\r\nAuthorization: Bearer ").append(token);
        }
        byte[] headBytes = head.append("\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[headBytes.length + bytes.length];
        System.arraycopy(headBytes, 0, all, 0, headBytes.length);
        System.arraycopy(bytes, 0, all, headBytes.length, bytes.length);
        out.write(all);
        out.flush();
        return readResponse();
    }

    private Response readResponse() throws IOException {
        String[] status = readLine().split(" ", 3);
        if (status.length < 2) {
            throw new IOException("no HTTP response: " + String.join(" ", status));
        }
        int length = 0;
        boolean isChunked = false;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(colon, 0));
            String value = line.substring(colon + 1).strip();
            if (name.equalsIgnoreCase("content-length")) {
                length = Integer.parseInt(value);
            } else if (name.equalsIgnoreCase("transfer-encoding")) {
                isChunked = value.equalsIgnoreCase("chunked");
            }
        }
        return new Response(Integer.parseInt(status[1]), isChunked ? readChunks() : read(length));
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(readLine().split(";", 2)[0].strip(), 16);
            all.write(read(size));
            readLine();
            if (size == 0) {
                return all.toByteArray();
            }
        }
    }

    private byte[] read(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended within a response");
        }
        return bytes;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended before a response");
            }
            if (line.length() > LINE_BYTES_MAX) {
                throw new IOException("a header line is too long");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // The connection is not used any more.
        }
    }
}
