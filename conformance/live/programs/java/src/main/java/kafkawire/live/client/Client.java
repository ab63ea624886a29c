package kafkawire.live.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Apache Kafka's clients: topics, records, a group, transactions, and questions, where KAFKA_BOOTSTRAP says. */
public final class Client {
    private static final int RECORDS = 23;
    private static final int SECONDS_TO_GIVE_UP = 30;
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
            TimeUnit.SECONDS.sleep(SECONDS_TO_GIVE_UP);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
        System.err.println("the client has taken 30 s");
        Runtime.getRuntime().halt(GAVE_UP);
    }

    private void run() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(name, 2, (short) 1))).all().get();
            try {
                produce();
                consume("classic");
                transact();
                ask(admin);
                admin.deleteConsumerGroups(List.of(name)).all().get();
            } finally {
                admin.deleteTopics(List.of(name)).all().get();
            }
        }
    }

    /** Writes records with and without key, value and headers, and a compressed batch. */
    private void produce() throws Exception {
        try (Producer<String, String> producer = producer(Map.of("acks", "all"))) {
            producer.send(new ProducerRecord<>(name, "without a key")).get();
            ProducerRecord<String, String> withHeaders = new ProducerRecord<>(name, "key", "with headers");
            withHeaders.headers().add("first", "1".getBytes(StandardCharsets.UTF_8));
            withHeaders.headers().add("empty", new byte[0]).add(new RecordHeader("null", (byte[]) null));
            producer.send(withHeaders).get();
            producer.send(new ProducerRecord<>(name, 0, "key", null)).get();
        }
        try (Producer<String, String> producer = producer(Map.of("compression.type", "gzip", "linger.ms", "50"))) {
            for (int number = 3; number < RECORDS; number++) {
                producer.send(new ProducerRecord<>(name, Integer.toString(number), "x".repeat(100)));
            }
            producer.flush();
        }
    }

    private Producer<String, String> producer(Map<String, Object> settings) {
        Map<String, Object> all = new java.util.HashMap<>(settings);
        all.put("bootstrap.servers", bootstrap);
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    /** Reads everything in a group, and commits. */
    private void consume(String protocol) {
        Map<String, Object> settings =
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "group.id", name,
                        "group.protocol", protocol,
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false");
        try (Consumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(name));
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

    /** Writes in two transactions: one that commits offsets as well, one that is aborted. */
    private void transact() throws Exception {
        try (Producer<String, String> producer = producer(Map.of("transactional.id", name))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(name, "key", "in a transaction")).get();
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
    }
}
