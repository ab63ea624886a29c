package kafkawire.harness;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Why a request has no result: an outcome, a text, and for Kafka's own exceptions the step during which they came. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final Outcome outcome;
    private final String during;

    private Refusal(Outcome outcome, String during, String error) {
        super(error, null, false, false); // No stack trace: most of the cost of an exception, and nobody reads it.
        this.outcome = outcome;
        this.during = during;
    }

    static Refusal byKafka(String during, Exception cause) {
        return new Refusal(Outcome.REJECTED, during, cause.toString());
    }

    /** The value has not the form that the field wants: an unknown field, text where a number belongs. */
    static Refusal malformedValue(String error) {
        return new Refusal(Outcome.REJECTED, "value", "harness: " + error);
    }

    static Refusal unrepresentable(String error) {
        return new Refusal(Outcome.UNREPRESENTABLE, "value", error);
    }

    static Refusal unsupported(String error) {
        return new Refusal(Outcome.UNSUPPORTED, null, error);
    }

    static Refusal protocol(String error) {
        return new Refusal(Outcome.PROTOCOL_ERROR, null, error);
    }

    ObjectNode describe(ObjectNode reply) {
        reply.put("outcome", outcome.text()).put("error", getMessage());
        return during == null ? reply : reply.put("during", during);
    }
}
