package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * YOUR CODEC goes here. HeartbeatRequest of version 0 by hand stands in for it: GroupId (string), GenerationId (int32)
 * and MemberId (string).
 *
 * <p>Make the library's own objects of the JSON value, and a JSON value of its objects, as {@link Forms} does for each
 * type. Catch what the library throws: {@link Refusal#rejected} for the exceptions that it declares,
 * {@link Refusal#unclassified} for any other. What this code throws itself becomes harness-error.
 */
final class Heartbeat implements MessageCodec {
    private static final int LONGEST_STRING = Short.MAX_VALUE;

    @Override
    public List<Integer> versions() {
        return List.of(0);
    }

    @Override
    public byte[] encode(JsonNode value, int version) throws Refusal {
        byte[] group = string(value, "GroupId");
        int generation = Forms.int32(value, "GenerationId");
        byte[] member = string(value, "MemberId");
        ByteBuffer out = ByteBuffer.allocate(Short.BYTES + group.length + Integer.BYTES + Short.BYTES + member.length);
        out.putShort((short) group.length).put(group);
        out.putInt(generation);
        out.putShort((short) member.length).put(member);
        return out.array();
    }

    @Override
    public int decode(byte[] wire, int version, ObjectNode value) throws Refusal {
        ByteBuffer in = ByteBuffer.wrap(wire);
        try {
            Forms.putString(value, "GroupId", string(in));
            value.put("GenerationId", in.getInt());
            Forms.putString(value, "MemberId", string(in));
        } catch (BufferUnderflowException | IllegalArgumentException refused) {
            throw Refusal.rejected("read", refused);
        }
        return in.position();
    }

    private static byte[] string(JsonNode value, String field) throws Refusal {
        byte[] text = Forms.stringBytes(value, field);
        if (text == null) {
            throw Refusal.rejected("write", new IllegalArgumentException(field + " is null"));
        }
        if (text.length > LONGEST_STRING) {
            throw Refusal.rejected("write", new IllegalArgumentException(field + " is too long"));
        }
        return text;
    }

    private static byte[] string(ByteBuffer in) {
        short length = in.getShort();
        if (length < 0) {
            throw new IllegalArgumentException("a length of " + length);
        }
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        in.get(text);
        return text;
    }
}
