package io.queenmq.server.postgres;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.queenmq.server.config.PostgresTls;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.util.Properties;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.postgresql.PGProperty;
import org.postgresql.ssl.WrappedFactory;

/**
 * Encrypts JDBC sessions. The driver creates one for each connection and names the files in its properties. The factory of
 * the driver itself cannot combine a client certificate with the authorities of the JVM, and it reports a wrong host name like
 * a lost connection.
 */
public final class JdbcSocketFactory extends WrappedFactory {
    private final boolean isNameVerified;

    public JdbcSocketFactory(Properties properties) throws SSLException {
        SslContextBuilder context = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        PostgresTls.Mode mode = PostgresTls.Mode.of(PGProperty.SSL_MODE.getOrDefault(properties));
        String root = PGProperty.SSL_ROOT_CERT.getOrDefault(properties);
        String certificate = PGProperty.SSL_CERT.getOrDefault(properties);
        if (root != null) {
            context.trustManager(new File(root));
        } else if (!mode.isVerified()) {
            context.trustManager(InsecureTrustManagerFactory.INSTANCE);
        }
        if (certificate != null) {
            context.keyManager(new File(certificate), new File(PGProperty.SSL_KEY.getOrDefault(properties)));
        }
        isNameVerified = mode == PostgresTls.Mode.VERIFY_FULL;
        factory = ((JdkSslContext) context.build()).context().getSocketFactory();
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
