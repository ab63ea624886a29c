package kafkawire.harness;

/** What became of a request, as the reply names it. */
enum Outcome {
    HELLO("hello"),
    FACTS("facts"),
    BYTES("bytes"),
    VALUE("value"),
    /** Apache Kafka refused: its exception is the answer. */
    REJECTED("rejected"),
    /** It refused by an exception that its reader of records does not expect, as an index out of range. */
    REJECTED_UNCLASSIFIED("rejected-unclassified"),
    /** The release has no such message, or not in that version. */
    UNSUPPORTED("unsupported"),
    /** A value that the Java class cannot hold, such as 300 in a byte. */
    UNREPRESENTABLE("unrepresentable"),
    /** An Error of the virtual machine, or a mistake of the harness. */
    CRASHED("crashed"),
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
