package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;

/** What a request says, by key: each look-up refuses a request that does not say it. */
final class Requests {
    private Requests() {
    }

    static String text(JsonNode request, String key) throws Refusal {
        JsonNode text = request.path(key);
        if (!text.isTextual()) {
            throw Refusal.protocol("the request has no text \"" + key + "\"");
        }
        return text.textValue();
    }

    static byte[] bytes(JsonNode request, String key) throws Refusal {
        try {
            return HexFormat.of().parseHex(text(request, key));
        } catch (IllegalArgumentException notHex) {
            throw Refusal.protocol("\"" + key + "\" is not hex: " + notHex.getMessage());
        }
    }

    /** An integer of any size. */
    static JsonNode integral(JsonNode request, String key) throws Refusal {
        JsonNode number = request.path(key);
        if (!number.isIntegralNumber()) {
            throw Refusal.protocol("the request has no integer \"" + key + "\"");
        }
        return number;
    }

    static int integer(JsonNode request, String key) throws Refusal {
        JsonNode number = integral(request, key);
        return number.canConvertToInt() ? number.intValue() : Integer.MAX_VALUE;
    }

    static short int16(JsonNode request, String key) throws Refusal {
        int number = integer(request, key);
        if (number != (short) number) {
            throw Refusal.unrepresentable("\"" + key + "\" does not fit a Java short: " + number);
        }
        return (short) number;
    }
}
