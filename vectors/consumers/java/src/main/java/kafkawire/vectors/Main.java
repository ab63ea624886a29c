package kafkawire.vectors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType;

/** Runs the golden vectors against kafka-clients, and prints which of them it fails, by id. */
public final class Main {
    private static final String USAGE = """
        usage: mvn -q compile exec:java -Dexec.args="[VECTORS] [--all] [--strict]"
          VECTORS   the folder vectors/ (default: ../..)
          --all     name every failing vector, not only the first ones
          --strict  exit with 1 if any vector fails""";
    private static final List<String> FOLDERS = List.of("4.3.0/messages", "4.3.0/headers", "4.3.0/frames", "records");

    private Main() {
    }

    public static void main(String[] arguments) {
        List<String> options = Stream.of(arguments).filter(argument -> argument.startsWith("-")).toList();
        List<String> folders = Stream.of(arguments).filter(argument -> !argument.startsWith("-")).toList();
        if (folders.size() > 1 || !Set.of("--all", "--strict").containsAll(options)) {
            System.err.println(USAGE);
            System.exit(2);
        }
        try {
            Report report = run(Path.of(folders.isEmpty() ? "../.." : folders.get(0)));
            report.print(options.contains("--all"));
            System.exit(options.contains("--strict") && report.anyFailed() ? 1 : 0);
        } catch (IOException | RuntimeException error) {
            System.err.println("kafkawire-vectors: " + error);
            System.exit(2);
        }
    }

    private static Report run(Path vectors) throws IOException {
        Report report = new Report();
        for (Path file : files(vectors)) {
            String name = vectors.relativize(file).toString().replace(".json", "");
            try {
                runFile(name, (Map<?, ?>) Json.parse(Files.readString(file)), report);
            } catch (RuntimeException error) {
                throw new IllegalArgumentException(file + ": " + error, error);
            }
        }
        if (report.isEmpty()) {
            throw new IllegalArgumentException("no vectors in " + vectors + " (looked in " + FOLDERS + ")");
        }
        return report;
    }

    private static List<Path> files(Path vectors) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : FOLDERS) {
            if (Files.isDirectory(vectors.resolve(folder))) {
                try (Stream<Path> entries = Files.list(vectors.resolve(folder))) {
                    entries.filter(path -> path.toString().endsWith(".json")).sorted().forEach(files::add);
                }
            }
        }
        return files;
    }

    private static void runFile(String name, Map<?, ?> file, Report report) {
        if (file.containsKey("apis")) {
            runHeaderVersions(name, (List<?>) file.get("apis"), report);
            return;
        }
        String message = (String) file.get("message");
        for (Object each : (List<?>) file.get("groups")) {
            Map<?, ?> group = (Map<?, ?>) each;
            short version = number(group, "version");
            for (Object line : (List<?>) group.get("vectors")) {
                Map<?, ?> vector = (Map<?, ?>) line;
                byte[] wire = HexFormat.of().parseHex((String) vector.get("wire"));
                Verdict verdict = Verdict.of(vector, Codec.decode((String) file.get("kind"), message, version, wire));
                report.add(name + "/v" + version + "/" + vector.get("id"), message, vector, verdict);
            }
        }
    }

    /** Not bytes, but which version of the header goes with which version of an API. */
    private static void runHeaderVersions(String name, List<?> apis, Report report) {
        for (Object each : apis) {
            Map<?, ?> line = (Map<?, ?>) each;
            short version = number(line, "version");
            ApiMessageType api = ApiMessageType.fromApiKey(number(line, "apiKey"));
            List<Short> expected = List.of(number(line, "requestHeader"), number(line, "responseHeader"));
            List<Short> seen = List.of(api.requestHeaderVersion(version), api.responseHeaderVersion(version));
            Verdict verdict = seen.equals(expected)
                ? new Verdict.Passes()
                : new Verdict.Fails("other headers", seen + " instead of " + expected);
            String id = name + "/" + line.get("api") + "/v" + version;
            report.add(id, name, Map.of("result", "headers", "wire", "", "flags", List.of()), verdict);
        }
    }

    private static short number(Map<?, ?> object, String name) {
        return Short.parseShort(((Json.Num) object.get(name)).digits());
    }
}
