package kafkawire.harness;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * What the harness is as an implementation: all of Kafka's messages, or one of its two readers of records. It decides
 * what {@code hello} offers, and who reads in {@code decode-records} without a {@code path}.
 */
enum Role {
    MESSAGES("", "apache-kafka", Set.of()),
    CONSUMER("client", "Apache Kafka consumer", Set.of("hello", "encode-records", "decode-records")),
    BROKER("broker", "Apache Kafka broker", Set.of("hello", "decode-records"));

    /** Kafka has no reader for the first two in general, so they take more than the protocol gives. */
    private static final Set<String> NOT_WITH_MESSAGES =
        Set.of("decode-prefixed", "facts", "encode-records", "decode-records");
    private static final String RECORDS = "--records";

    private final String path;
    private final String implementation;
    private final Set<String> operations;

    Role(String path, String implementation, Set<String> operations) {
        this.path = path;
        this.implementation = implementation;
        this.operations = operations;
    }

    /** The role that the command names: {@code --records client}, {@code --records broker}, or nothing. */
    static Role of(String[] arguments) {
        if (arguments.length == 0) {
            return MESSAGES;
        }
        for (Role role : values()) {
            if (arguments.length == 2 && arguments[0].equals(RECORDS) && arguments[1].equals(role.path)) {
                return role;
            }
        }
        throw new IllegalArgumentException("the arguments are none, or --records client, or --records broker");
    }

    String implementation() {
        return implementation;
    }

    boolean offers(String operation) {
        return this == MESSAGES ? !NOT_WITH_MESSAGES.contains(operation) : operations.contains(operation);
    }

    /** What the reader does not show, in the words of the bridge. */
    ObjectNode claims() {
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        if (this == BROKER) {
            return claims.put("reader", "broker").put("values", "hidden");
        }
        claims.put("wrapped-messages", "delivered").put("log-append-deltas", "hidden");
        claims.putArray("hidden").add("unusedAttributes");
        return claims;
    }
}
