package kafkawire.harness;

/** What became of a request, as the reply names it. */
enum Outcome {
    HELLO("hello"),
    FACTS("facts"),
    BYTES("bytes"),
    VALUE("value"),
    /** The library refused: its exception is the answer. */
    REJECTED("rejected"),
    /** It refused by an exception that it does not declare for that, as an index out of range. */
    REJECTED_UNCLASSIFIED("rejected-unclassified"),
    /** The library has no such message, or not in that version. */
    UNSUPPORTED("unsupported"),
    /** A value that the Java class cannot hold, such as 300 in a byte. */
    UNREPRESENTABLE("unrepresentable"),
    /** An Error of the virtual machine, as a stack overflow. */
    CRASHED("crashed"),
    /** An exception of the harness's own code: never a finding. */
    HARNESS_ERROR("harness-error"),
    /** The heap was too small for what was asked. */
    EXHAUSTED_MEMORY("exhausted-memory"),
    /** The line was no request. */
    PROTOCOL_ERROR("protocol-error");

    private final String text;

    Outcome(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
