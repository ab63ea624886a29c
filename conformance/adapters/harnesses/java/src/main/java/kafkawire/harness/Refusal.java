package kafkawire.harness;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Why a request has no result: an outcome, a text, and for the library's exceptions the step during which they came. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final Outcome outcome;
    private final String exceptionClass;
    private final String during;

    private Refusal(Outcome outcome, String text) {
        this(outcome, null, null, text);
    }

    private Refusal(Outcome outcome, String during, Throwable cause) {
        this(outcome, during, cause.getClass().getName(), cause.getMessage() == null ? "" : cause.getMessage());
    }

    private Refusal(Outcome outcome, String during, String exceptionClass, String text) {
        super(text, null, false, false); // No stack trace: most of the cost of an exception, and nobody reads it.
        this.outcome = outcome;
        this.exceptionClass = exceptionClass;
        this.during = during;
    }

    /** The library refused, by an exception of its own. */
    static Refusal rejected(String during, Throwable cause) {
        return new Refusal(Outcome.REJECTED, during, cause);
    }

    /** The library refused, by an exception that it does not declare for that, as an index out of range. */
    static Refusal unclassified(String during, Throwable cause) {
        return new Refusal(Outcome.REJECTED_UNCLASSIFIED, during, cause);
    }

    static Refusal unrepresentable(String text) {
        return new Refusal(Outcome.UNREPRESENTABLE, text);
    }

    static Refusal unsupported(String text) {
        return new Refusal(Outcome.UNSUPPORTED, text);
    }

    /** The harness's own code is at a loss: never a finding. */
    static Refusal harness(String text) {
        return new Refusal(Outcome.HARNESS_ERROR, text);
    }

    /** The request is none, or its value has not the form that a field wants. */
    static Refusal protocol(String text) {
        return new Refusal(Outcome.PROTOCOL_ERROR, text);
    }

    ObjectNode describe(ObjectNode reply) {
        reply.put("outcome", outcome.text());
        if (exceptionClass != null) {
            reply.put("class", exceptionClass).put("during", during);
        }
        return reply.put("text", getMessage());
    }

    @Override
    public String toString() {
        return exceptionClass == null ? getMessage() : exceptionClass + ": " + getMessage();
    }
}
