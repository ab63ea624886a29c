package kafkawire.live.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Apache Kafka's clients: topics, records, a group, transactions, and questions, where KAFKA_BOOTSTRAP says. */
public final class Client {
    private static final int RECORDS = 23;
    private static final List<String> CODECS = List.of("gzip", "snappy", "lz4", "zstd");
    private static final String COMMITTED = "in a transaction";
    private static final long LIMIT = Long.parseLong(System.getenv().getOrDefault("CLIENT_SECONDS", "30"));
    private static final int GAVE_UP = 124;

    private final String bootstrap;
    private final String name = "conformance-kafka-clients-" + UUID.randomUUID().toString().substring(0, 8);

    private Client(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    /**
     * Runs the client.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        Thread deadline = new Thread(Client::giveUp, "deadline");
        deadline.setDaemon(true);
        deadline.start();
        new Client(System.getenv("KAFKA_BOOTSTRAP")).run();
    }

    private static void giveUp() {
        try {
            TimeUnit.SECONDS.sleep(LIMIT);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
        System.err.println("the client has taken " + LIMIT + " s");
        Runtime.getRuntime().halt(GAVE_UP);
    }

    private void run() throws Exception {
        try (Admin admin = Admin.create(settings(Map.of()))) {
            admin.createTopics(List.of(new NewTopic(name, 2, (short) 1))).all().get();
            try {
                produce();
                consume();
                transact();
                readCommitted();
                ask(admin);
                askAboutBrokers(admin);
                change(admin);
                admin.deleteConsumerGroups(List.of(name)).all().get();
            } finally {
                admin.deleteTopics(List.of(name)).all().get();
            }
        }
    }

    /** Writes records with and without key, value and headers, and a batch of each compression. */
    private void produce() throws Exception {
        try (Producer<String, String> producer = producer(Map.of("acks", "all"))) {
            producer.send(new ProducerRecord<>(name, "without a key")).get();
            ProducerRecord<String, String> withHeaders = new ProducerRecord<>(name, "key", "with headers");
            withHeaders.headers().add("first", "1".getBytes(StandardCharsets.UTF_8));
            withHeaders.headers().add("empty", new byte[0]).add(new RecordHeader("null", (byte[]) null));
            producer.send(withHeaders).get();
            producer.send(new ProducerRecord<>(name, 0, "key", null)).get();
        }
        for (String codec : CODECS) {
            try (Producer<String, String> producer = producer(Map.of("compression.type", codec, "linger.ms", "20"))) {
                for (int number = 0; number < (RECORDS - 3) / CODECS.size(); number++) {
                    producer.send(new ProducerRecord<>(name, Integer.toString(number), "x".repeat(100)));
                }
                producer.flush();
            }
        }
    }

    private Producer<String, String> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.putAll(Map.of("max.block.ms", "10000", "delivery.timeout.ms", "10000"));
        return new KafkaProducer<>(settings(all), new StringSerializer(), new StringSerializer());
    }

    /** Adds what all clients have: an address, and less patience than the whole may take. */
    private Map<String, Object> settings(Map<String, Object> own) {
        Map<String, Object> all = new HashMap<>(own);
        all.putAll(Map.of("bootstrap.servers", bootstrap, "request.timeout.ms", "5000"));
        all.put("default.api.timeout.ms", "10000");
        return all;
    }

    /** Reads everything in a group, and commits. */
    private void consume() {
        try (Consumer<String, String> consumer = consumer("read_uncommitted")) {
            for (int count = 0; count < RECORDS; ) {
                count += consumer.poll(Duration.ofMillis(500)).count();
            }
            consumer.commitSync();
            Collection<TopicPartition> partitions = consumer.assignment();
            consumer.beginningOffsets(partitions);
            consumer.offsetsForTimes(Map.of(new TopicPartition(name, 0), 0L));
            consumer.committed(consumer.assignment());
        }
    }

    /** Reads on in the same group up to the record of the transaction that was committed. */
    private void readCommitted() {
        try (Consumer<String, String> consumer = consumer("read_committed")) {
            for (boolean found = false; !found; ) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) {
                    found |= COMMITTED.equals(record.value());
                }
            }
            consumer.endOffsets(consumer.assignment());
        }
    }

    private Consumer<String, String> consumer(String isolation) {
        Map<String, Object> settings =
                Map.of(
                        "group.id", name,
                        "isolation.level", isolation,
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false");
        Consumer<String, String> consumer =
                new KafkaConsumer<>(settings(settings), new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of(name));
        return consumer;
    }

    /** Writes in two transactions: one that commits offsets as well, one that is aborted. */
    private void transact() throws Exception {
        try (Producer<String, String> producer = producer(Map.of("transactional.id", name))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(name, "key", COMMITTED)).get();
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    Map.of(new TopicPartition(name, 0), new OffsetAndMetadata(1));
            producer.sendOffsetsToTransaction(offsets, new ConsumerGroupMetadata(name));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(name, "in an aborted transaction")).get();
            producer.abortTransaction();
        }
    }

    /** Asks about the cluster, the topic and the group. */
    private void ask(Admin admin) throws Exception {
        admin.describeCluster().nodes().get();
        admin.listTopics().names().get();
        admin.describeTopics(List.of(name)).allTopicNames().get();
        admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, name))).all().get();
        admin.listOffsets(Map.of(new TopicPartition(name, 0), OffsetSpec.latest())).all().get();
        admin.listGroups().all().get();
        admin.describeClassicGroups(List.of(name)).all().get();
        admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get();
        admin.listTransactions().all().get();
        admin.describeTransactions(List.of(name)).all().get();
        admin.describeProducers(List.of(new TopicPartition(name, 0))).all().get();
    }

    /** Asks about brokers, their configurations, quotas and users. */
    private void askAboutBrokers(Admin admin) throws Exception {
        Integer broker = admin.describeCluster().nodes().get().iterator().next().id();
        admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.BROKER, broker.toString()))).all().get();
        admin.describeLogDirs(List.of(broker)).allDescriptions().get();
        admin.listPartitionReassignments().reassignments().get();
        Set<ConfigResource.Type> kind = Set.of(ConfigResource.Type.CLIENT_METRICS); // older brokers list no other
        admin.listConfigResources(kind, new ListConfigResourcesOptions()).all().get();
        admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get();
        admin.describeUserScramCredentials().all().get();
    }

    /** Changes the topic, and what the group has committed. */
    private void change(Admin admin) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        AlterConfigOp retention =
                new AlterConfigOp(new ConfigEntry("retention.ms", "3600000"), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(topic, List.of(retention))).all().get();
        admin.createPartitions(Map.of(name, NewPartitions.increaseTo(3))).all().get();
        TopicPartition partition = new TopicPartition(name, 0);
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
        admin.alterConsumerGroupOffsets(name, Map.of(partition, new OffsetAndMetadata(2))).all().get();
        admin.deleteConsumerGroupOffsets(name, Set.of(partition)).all().get();
    }
}
