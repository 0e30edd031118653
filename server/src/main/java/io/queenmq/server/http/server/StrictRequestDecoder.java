package io.queenmq.server.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes requests and rejects those that a proxy could understand differently: folded header lines, several Host headers,
 * and transfer codings other than {@code chunked}. After a rejected request nothing of the connection is decoded. Owned by
 * one event loop.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {
    private static final String FOLDED = "a header line begins with a space or tab; send each header on one line";
    private static final String SEVERAL_HOSTS = "the request has several Host headers; send one";
    private static final String CODING = "the Transfer-Encoding is not supported; use chunked, or Content-Length";

    private @Nullable ByteBuf input;
    private int hosts;
    private boolean hasTransferEncoding;
    /** True if the first byte of the next header line was not received yet when the line before it was decoded. */
    private boolean isLineBeginUnchecked;
    private boolean isRejected;

    StrictRequestDecoder(HttpServerOptions options) {
        super(options);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
        if (isRejected) {
            buffer.skipBytes(buffer.readableBytes());
            return;
        }
        if (isLineBeginUnchecked && buffer.isReadable()) {
            isLineBeginUnchecked = false;
            if (isFolded(buffer)) {
                buffer.skipBytes(buffer.readableBytes());
                out.add(reject(createInvalidMessage(), new MalformedRequest(400, FOLDED)));
                return;
            }
        }
        input = buffer;
        super.decode(context, buffer, out);
        if (hasTransferEncoding && !out.isEmpty() && out.getFirst() instanceof HttpRequest request) {
            hasTransferEncoding = false;
            if (request.decoderResult().isSuccess() && !isChunked(request.headers())) {
                reject(request, new MalformedRequest(501, CODING));
            }
        }
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        hosts = 0;
        hasTransferEncoding = false;
        isLineBeginUnchecked = false;
        return super.createMessage(initialLine);
    }

    /** Called for each header line, after the line was read and before the next one is read. */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        AsciiString name = super.splitHeaderName(line, start, length);
        if (input == null || !input.isReadable()) {
            isLineBeginUnchecked = true;
        } else if (isFolded(input)) {
            throw new MalformedRequest(400, FOLDED);
        }
        if (length == HttpHeaderNames.HOST.length() && HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)
                && ++hosts > 1) {
            throw new MalformedRequest(400, SEVERAL_HOSTS);
        }
        if (length == HttpHeaderNames.TRANSFER_ENCODING.length()
                && HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name)) {
            hasTransferEncoding = true;
        }
        return name;
    }

    private static boolean isFolded(ByteBuf lines) {
        byte first = lines.getByte(lines.readerIndex());
        return first == ' ' || first == '\t';
    }

    private static boolean isChunked(HttpHeaders headers) {
        Iterator<? extends CharSequence> values = headers.valueCharSequenceIterator(HttpHeaderNames.TRANSFER_ENCODING);
        return HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(values.next()) && !values.hasNext();
    }

    private HttpMessage reject(HttpMessage message, MalformedRequest cause) {
        isRejected = true;
        message.setDecoderResult(DecoderResult.failure(cause));
        return message;
    }
}
