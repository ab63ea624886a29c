package kafkawire.vectors;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.AppInfoParser;

/** What is printed at the end: counts, and the vectors that fail, by what goes wrong and by flag. */
final class Report {
    /** How many vectors are named for a flag. */
    private static final int SHOWN = 2;
    private static final int WIDEST_DETAIL = 150;

    private record Entry(int size, String id, String detail) {
        @Override
        public String toString() {
            String text = detail.length() > WIDEST_DETAIL ? detail.substring(0, WIDEST_DETAIL) + "..." : detail;
            return text.isEmpty() ? id : id + ": " + text;
        }
    }

    /** Result, then what became of it: passes, fails, accepted, ... */
    private final Map<String, Map<String, Integer>> counts = new TreeMap<>();
    /** What goes wrong, then the flag. */
    private final Map<String, Map<String, List<Entry>>> findings = new TreeMap<>();
    /** The reason, then the message. */
    private final Map<String, Map<String, Integer>> unsupported = new TreeMap<>();
    private boolean anyFailed;

    void add(String id, String message, Map<?, ?> vector, Verdict verdict) {
        String what;
        if (verdict instanceof Verdict.Fails fails) {
            what = "fail";
            anyFailed = true;
            addFinding("FAIL: " + fails.how(), id, vector, fails.detail());
        } else if (verdict instanceof Verdict.Unsupported missing) {
            what = "unsupported";
            count(unsupported, missing.reason(), message);
        } else if (verdict instanceof Verdict.Profile profile) {
            what = profile.accepts() ? "accepted" : "rejected";
            if (!profile.asObserved()) {
                addFinding("profile, no failure: " + what + ", unlike what was observed", id, vector, "");
            }
        } else {
            what = "pass";
        }
        count(counts, (String) vector.get("result"), what);
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    boolean anyFailed() {
        return anyFailed;
    }

    void print(boolean all) {
        System.out.printf("kafka-clients %s against the vectors of Apache Kafka 4.3.0%n%n", AppInfoParser.getVersion());
        counts.forEach((result, byWhat) -> {
            List<String> columns = byWhat.entrySet().stream().map(count -> count.getValue() + " " + count.getKey()).toList();
            System.out.printf("%-12s %s%n", result, String.join(", ", columns));
        });
        unsupported.forEach((reason, messages) -> {
            System.out.printf("%nunsupported, %s: %d%n", reason, messages.values().stream().mapToInt(Integer::intValue).sum());
            System.out.println("  " + String.join(", ", messages.keySet()));
        });
        findings.forEach((how, byFlag) -> print(how, byFlag, all));
    }

    /** A vector with several flags is under each of them, and counted once in the heading; the shortest comes first. */
    private static void print(String heading, Map<String, List<Entry>> byFlag, boolean all) {
        int distinct = new TreeSet<>(byFlag.values().stream().flatMap(Collection::stream).map(Entry::id).toList()).size();
        System.out.printf("%n%s: %d%n", heading, distinct);
        byFlag.forEach((flag, entries) -> {
            System.out.printf("  %s: %d%n", flag, entries.size());
            entries.stream().sorted(Comparator.comparingInt(Entry::size).thenComparing(Entry::id))
                .limit(all ? entries.size() : SHOWN).forEach(entry -> System.out.println("    " + entry));
        });
    }

    private void addFinding(String how, String id, Map<?, ?> vector, String detail) {
        Entry entry = new Entry(((String) vector.get("wire")).length() / 2, id, detail);
        List<?> flags = (List<?>) vector.get("flags");
        Map<String, List<Entry>> byFlag = findings.computeIfAbsent(how, unused -> new TreeMap<>());
        for (Object flag : flags.isEmpty() ? List.of("no flag") : flags) {
            byFlag.computeIfAbsent((String) flag, unused -> new ArrayList<>()).add(entry);
        }
    }

    private static void count(Map<String, Map<String, Integer>> table, String row, String column) {
        table.computeIfAbsent(row, unused -> new TreeMap<>()).merge(column, 1, Integer::sum);
    }
}
