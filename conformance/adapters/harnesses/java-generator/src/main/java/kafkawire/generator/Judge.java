package kafkawire.generator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.message.MessageGenerator;
import org.apache.kafka.message.MessageSpec;
import org.apache.kafka.message.checker.EvolutionVerifier;

/**
 * Apache Kafka's message generator behind JSON Lines: one request a line on standard input, one reply a line on standard
 * output, in the same order, with the same {@code id}.
 *
 * <pre>
 *   {"id": 1, "op": "generate", "definition": "{ \"type\": \"data\", ... }", "package": "first", "sources": "/tmp/sources/first"}
 *   {"id": 1, "outcome": "accepted"}
 *   {"id": 2, "op": "compile", "sources": "/tmp/sources", "classes": "/tmp/classes"}
 *   {"id": 2, "complaints": {}}
 *   {"id": 3, "op": "evolve", "old": "{ \"type\": \"data\", ... }", "new": "{ \"type\": \"data\", ... }"}
 *   {"id": 3, "outcome": "accepted"}
 * </pre>
 *
 * <p>A definition is handed to the generator as Kafka's build does it, in a folder. A refusal has the {@code stage} at
 * which it came ({@code read} by Jackson, or while Java was {@code generated}) and a {@code text}. The folder
 * {@code sources}, which must not be there yet, gets what was generated. {@code evolve} asks Apache Kafka's
 * {@code EvolutionVerifier}, whose refusals have a {@code text}.
 */
public final class Judge {
    private static final List<String> CLASSES = List.of("MessageDataGenerator", "JsonConverterGenerator");

    private final JsonMapper json = new JsonMapper();
    private final Compilation compilation = new Compilation();

    public static void main(String[] arguments) throws IOException {
        System.setOut(new PrintStream(OutputStream.nullOutputStream())); // The generator reports there what it has done.
        try (PrintStream replies = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
             BufferedReader requests = new BufferedReader(
                 new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            Judge judge = new Judge();
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                replies.println(judge.answer(line));
            }
        }
    }

    private String answer(String line) throws IOException {
        JsonNode request = json.readTree(line);
        ObjectNode reply = JsonNodeFactory.instance.objectNode();
        reply.set("id", request.get("id"));
        switch (request.get("op").asText()) {
            case "compile" -> {
                ObjectNode complaints = reply.putObject("complaints");
                compilation.complaints(path(request, "sources"), path(request, "classes")).forEach(complaints::put);
            }
            case "evolve" -> evolve(request, reply);
            default -> generate(request, reply, Files.createDirectory(path(request, "sources")));
        }
        return json.writeValueAsString(reply);
    }

    private static Path path(JsonNode request, String name) {
        return Path.of(request.get(name).asText());
    }

    private void evolve(JsonNode request, ObjectNode reply) {
        try {
            new EvolutionVerifier(message(request, "old"), message(request, "new")).verify();
            reply.put("outcome", "accepted");
        } catch (Exception refusal) {
            reply.put("outcome", "refused").put("text", refusal.toString());
        }
    }

    private static MessageSpec message(JsonNode request, String name) throws IOException {
        return MessageGenerator.JSON_SERDE.readValue(request.get(name).asText(), MessageSpec.class);
    }

    private void generate(JsonNode request, ObjectNode reply, Path sources) throws IOException {
        Path definition = Files.writeString(
            Files.createTempDirectory("definition").resolve("Definition.json"), request.get("definition").asText());
        try {
            MessageGenerator.processDirectories(request.get("package").asText(), sources.toString(),
                definition.getParent().toString(), List.of(), CLASSES);
            reply.put("outcome", "accepted");
        } catch (Exception | StackOverflowError refusal) {
            Throwable cause = refusal.getCause() == null ? refusal : refusal.getCause();
            reply.put("outcome", "refused")
                .put("stage", cause instanceof JsonProcessingException ? "read" : "generated")
                .put("text", cause.toString());
            deleteFiles(sources); // Half of a class is of no use.
        } finally {
            deleteFiles(definition.getParent());
            Files.delete(definition.getParent());
        }
    }

    private static void deleteFiles(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
