package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.HexFormat;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.SendBuilder;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * Whole requests and responses, and the headers that belong to them. {@link SendBuilder} makes the bytes of a frame and
 * {@link NetworkReceive} takes its size off, as in a client or broker.
 */
final class FrameOperations {
    /** What frame it is: of which API in which version, and which way it goes. */
    private record Kind(ApiMessageType api, short version, boolean isRequest) {
        static Kind of(JsonNode request) throws Refusal {
            String direction = Requests.text(request, "direction");
            if (!direction.equals("request") && !direction.equals("response")) {
                throw Refusal.protocol("the direction is request or response, not " + direction);
            }
            short version = Requests.int16(request, "version");
            return new Kind(api(Requests.int16(request, "apiKey")), version, direction.equals("request"));
        }

        private static ApiMessageType api(short key) throws Refusal {
            try {
                return ApiMessageType.fromApiKey(key);
            } catch (Exception refusal) {
                throw Refusal.rejected("api", refusal);
            }
        }

        short headerVersion() throws Refusal {
            try {
                return isRequest ? api.requestHeaderVersion(version) : api.responseHeaderVersion(version);
            } catch (Exception refusal) {
                throw Refusal.rejected("header", refusal);
            }
        }

        /** The first version of the request header ends before it. */
        boolean hasClientId() throws Refusal {
            return isRequest && headerVersion() > 0;
        }

        ApiMessage newBody() throws Refusal {
            try {
                return isRequest ? api.newRequest() : api.newResponse();
            } catch (Exception refusal) {
                throw Refusal.rejected("body", refusal);
            }
        }

        /** The value of a header with what a request says of it, in place of a whole header. */
        JsonNode headerValue(JsonNode request) throws Refusal {
            ObjectNode header = JsonNodeFactory.instance.objectNode();
            header.set("CorrelationId", Requests.integral(request, "correlationId"));
            if (isRequest) {
                header.put("RequestApiKey", api.apiKey()).put("RequestApiVersion", version);
                header.set("ClientId", request.path("clientId"));
            }
            if (request.has("headerTags")) {
                header.set(ValueWriter.TAGS, request.get("headerTags"));
            }
            return header;
        }

        ApiMessage newHeader() {
            return isRequest ? new RequestHeaderData() : new ResponseHeaderData();
        }
    }

    private FrameOperations() {
    }

    static ObjectNode headerVersion(JsonNode request, ObjectNode reply) throws Refusal {
        short version = Kind.of(request).headerVersion();
        return reply.put("outcome", Outcome.VALUE.text()).put("value", version);
    }

    static ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        Kind kind = Kind.of(request);
        Message header = request.has("header")
            ? ValueReader.read(request.get("header"), kind.newHeader().getClass())
            : ValueReader.read(kind.headerValue(request), kind.newHeader().getClass());
        Message body = ValueReader.read(request.path("value"), kind.newBody().getClass());
        reply.put("outcome", Outcome.BYTES.text());
        return reply.put("wire", HexFormat.of().formatHex(write(kind, header, body)));
    }

    static ObjectNode decode(JsonNode request, ObjectNode reply) throws Refusal {
        ByteBuffer payload = payload(Requests.bytes(request, "wire"));
        boolean isRequest = Requests.text(request, "direction").equals("request");
        Kind kind = isRequest ? peek(payload.duplicate()) : Kind.of(request);
        Message header = read(kind.newHeader(), payload, kind.headerVersion());
        Message body = read(kind.newBody(), payload, kind.version());
        reply.put("outcome", Outcome.VALUE.text()).put("apiKey", kind.api().apiKey()).put("version", kind.version());
        ObjectNode headerValue = ValueWriter.write(header);
        reply.set("header", headerValue);
        reply.set("correlationId", headerValue.get("CorrelationId"));
        reply.set("clientId", kind.hasClientId() ? headerValue.get("ClientId") : NullNode.instance);
        reply.set("headerTags", headerValue.has(ValueWriter.TAGS)
            ? headerValue.get(ValueWriter.TAGS) : JsonNodeFactory.instance.arrayNode());
        reply.set("value", ValueWriter.write(body));
        reply.put("consumed", Integer.BYTES + payload.position());
        return Canonical.put(reply, () -> write(kind, header, body));
    }

    /** What a client reads of a response without its size, whatever its correlation id is. */
    static ObjectNode parseResponse(JsonNode request, ObjectNode reply) throws Refusal {
        ByteBuffer payload = ByteBuffer.wrap(Requests.bytes(request, "wire"));
        short apiKey = Requests.int16(request, "apiKey");
        short version = Requests.int16(request, "version");
        AbstractResponse response;
        try {
            RequestHeader asked = new RequestHeader(ApiKeys.forId(apiKey), version, "", payload.getInt(0));
            response = AbstractResponse.parseResponse(payload, asked);
        } catch (Exception refusal) {
            throw Refusal.rejected("read", refusal);
        }
        reply.put("outcome", Outcome.VALUE.text());
        return reply.set("value", ValueWriter.write((Message) response.data()));
    }

    private static byte[] write(Kind kind, Message header, Message body) throws Refusal {
        short headerVersion = kind.headerVersion();
        try {
            Send send = kind.isRequest()
                ? SendBuilder.buildRequestSend(new RequestHeader((RequestHeaderData) header, headerVersion), body)
                : SendBuilder.buildResponseSend(
                    new ResponseHeader((ResponseHeaderData) header, headerVersion), body, kind.version());
            return CollectingChannel.collect(send);
        } catch (Exception refusal) {
            throw Refusal.rejected("write", refusal);
        }
    }

    private static Message read(Message message, ByteBuffer payload, short version) throws Refusal {
        try {
            message.read(new ByteBufferAccessor(payload), version);
            return message;
        } catch (Exception refusal) {
            throw Refusal.rejected("read", refusal);
        }
    }

    /** The bytes behind the size; a frame that is not all there is never complete, which counts as a refusal here. */
    private static ByteBuffer payload(byte[] wire) throws Refusal {
        NetworkReceive receive = new NetworkReceive(Math.max(wire.length, 1), "harness");
        try {
            receive.readFrom(new WireChannel(wire));
        } catch (IOException | RuntimeException refusal) {
            throw Refusal.rejected("size", refusal);
        }
        if (!receive.complete()) {
            throw Refusal.rejected("size", new IOException("the frame is not complete"));
        }
        return receive.payload().rewind();
    }

    private static Kind peek(ByteBuffer payload) throws Refusal {
        try {
            return new Kind(ApiMessageType.fromApiKey(payload.getShort()), payload.getShort(), true);
        } catch (Exception refusal) {
            throw Refusal.rejected("header", refusal);
        }
    }

    /** Bytes as a channel, the only thing that {@link NetworkReceive} reads from. */
    private static final class WireChannel implements ScatteringByteChannel {
        private final ReadableByteChannel bytes;

        WireChannel(byte[] wire) {
            bytes = Channels.newChannel(new ByteArrayInputStream(wire));
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return bytes.read(target);
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            long count = 0;
            for (int index = offset; index < offset + length; index++) {
                count += read(targets[index]);
            }
            return count;
        }

        @Override
        public long read(ByteBuffer[] targets) throws IOException {
            return read(targets, 0, targets.length);
        }

        @Override
        public boolean isOpen() {
            return bytes.isOpen();
        }

        @Override
        public void close() throws IOException {
            bytes.close();
        }
    }
}
