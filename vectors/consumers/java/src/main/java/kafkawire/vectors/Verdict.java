package kafkawire.vectors;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/** What a vector says of a codec. */
sealed interface Verdict {
    record Passes() implements Verdict {
    }

    /** What goes wrong, in a few words that many vectors share; and the details. */
    record Fails(String how, String detail) implements Verdict {
    }

    record Unsupported(String reason) implements Verdict {
    }

    /** What the reader does with bytes that the protocol leaves open, and whether the vector's run of Apache Kafka did so. */
    record Profile(boolean accepts, boolean asObserved) implements Verdict {
    }

    /**
     * The three rules. Valid bytes are read as the vector's value and written again as {@code canonical}, or {@code wire}
     * where the vector has none. Invalid bytes are refused, and neither a crash nor much memory is a refusal. With all
     * others a reader may do as it likes, short of crashing: what it does is its profile.
     */
    static Verdict of(Map<?, ?> vector, Codec.Outcome outcome) {
        String result = (String) vector.get("result");
        if (outcome instanceof Codec.Unsupported unsupported) {
            return new Unsupported(unsupported.reason());
        } else if (outcome instanceof Codec.Crashed crashed) {
            return new Fails(result + ", crashes", crashed.how());
        }
        return switch (result) {
            case "valid" -> outcome instanceof Codec.Decoded decoded
                ? ofValue(vector, decoded)
                : new Fails("valid, rejected", outcome.toString());
            case "invalid" -> outcome instanceof Codec.Decoded decoded
                ? new Fails("invalid, accepted", decoded.value().toString())
                : new Passes();
            case "unspecified" -> new Profile(outcome instanceof Codec.Decoded, isAsObserved(vector, outcome));
            default -> throw new IllegalArgumentException("no such result: " + result);
        };
    }

    private static Verdict ofValue(Map<?, ?> vector, Codec.Decoded decoded) {
        byte[] wire = HexFormat.of().parseHex((String) vector.get("wire"));
        Object canonicalHex = vector.get("canonical");
        byte[] canonical = canonicalHex == null ? wire : HexFormat.of().parseHex((String) canonicalHex);
        String difference = Values.difference(vector.get("value"), decoded.value(), "");
        if (difference != null) {
            return new Fails("valid, another value", difference);
        } else if (decoded.consumed() != wire.length) {
            return new Fails("valid, bytes left over", decoded.consumed() + " of " + wire.length + " read");
        } else if (decoded.encoded() == null) {
            return new Fails("valid, not written again", decoded.notEncoded().toString());
        } else if (Arrays.equals(decoded.encoded(), canonical) || Arrays.equals(decoded.encoded(), wire)) {
            return new Passes();
        }
        String written = HexFormat.of().formatHex(decoded.encoded());
        return new Fails("valid, written otherwise", written + " instead of " + HexFormat.of().formatHex(canonical));
    }

    private static boolean isAsObserved(Map<?, ?> vector, Codec.Outcome outcome) {
        Map<?, ?> observed = (Map<?, ?>) ((Map<?, ?>) vector.get("observed")).values().iterator().next();
        if (!(outcome instanceof Codec.Decoded decoded)) {
            return observed.get("accepts").equals(false);
        }
        String canonical = decoded.encoded() == null ? null : HexFormat.of().formatHex(decoded.encoded());
        return observed.get("accepts").equals(true)
            && observed.get("consumed").equals(new Json.Num(Integer.toString(decoded.consumed())))
            && Values.difference(observed.get("value"), decoded.value(), "") == null
            && (decoded.value() instanceof Records.Shown || Objects.equals(observed.get("canonical"), canonical));
    }
}
