package io.queenmq.server.postgres;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.queenmq.server.config.PostgresTls;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.util.Objects;
import java.util.Properties;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.NullUnmarked;
import org.postgresql.PGProperty;
import org.postgresql.ssl.WrappedFactory;

/**
 * Encrypts JDBC sessions. The driver creates one for each connection and names the files in its properties. The factory of
 * the driver itself cannot combine a client certificate with the authorities of the JVM, and it reports a wrong host name like
 * a lost connection.
 */
// NullAway cannot read the nullness of the driver: its annotations are not on the class path.
@NullUnmarked
public final class JdbcSocketFactory extends WrappedFactory {
    private final boolean isNameVerified;

    public JdbcSocketFactory(Properties properties) throws SSLException {
        SslContextBuilder context = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        PostgresTls.Mode mode = PostgresTls.Mode.of(required(PGProperty.SSL_MODE, properties));
        String root = PGProperty.SSL_ROOT_CERT.getOrDefault(properties);
        String certificate = PGProperty.SSL_CERT.getOrDefault(properties);
        if (root != null) {
            context.trustManager(new File(root));
        } else if (!mode.isVerified()) {
            context.trustManager(InsecureTrustManagerFactory.INSTANCE);
        }
        if (certificate != null) {
            context.keyManager(new File(certificate), new File(required(PGProperty.SSL_KEY, properties)));
        }
        isNameVerified = mode == PostgresTls.Mode.VERIFY_FULL;
        factory = ((JdkSslContext) context.build()).context().getSocketFactory();
    }

    /** Returns a property that {@link JdbcSessions} sets. */
    private static String required(PGProperty property, Properties properties) {
        return Objects.requireNonNull(property.getOrDefault(properties), property.getName());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        SSLSocket encrypted = (SSLSocket) super.createSocket(socket, host, port, autoClose);
        if (isNameVerified) {
            SSLParameters parameters = encrypted.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            encrypted.setSSLParameters(parameters);
        }
        return encrypted;
    }
}
