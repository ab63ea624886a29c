package kafkawire.live.folder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Lets a broker write records of every kind into its own logs: {@code Fill ADDRESS [share]}. */
public final class Fill {
    private static final String BYTES = "org.apache.kafka.common.serialization.ByteArray";
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int VALUE = 100_000;

    private final String address;

    private Fill(String address) {
        this.address = address;
    }

    public static void main(String[] words) throws Exception {
        Fill fill = new Fill(words[0]);
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", words[0]))) {
            fill.topics(admin);
            fill.settings(admin);
            fill.records();
            fill.transactions();
            fill.group(admin, "classic");
            fill.group(admin, "consumer");
            if (words.length > 1) {
                fill.share();
            }
            fill.deletions(admin);
        }
        // Segments are copied, and snapshots taken, by tasks in the background.
        TimeUnit.SECONDS.sleep(8);
    }

    private static void await(KafkaFuture<?> future) throws Exception {
        future.get(30, TimeUnit.SECONDS);
    }

    private void topics(Admin admin) throws Exception {
        Map<String, String> tiered = Map.of(
                "remote.storage.enable", "true", "segment.bytes", "1048576", "local.retention.ms", "1000");
        await(admin.createTopics(List.of(
                        new NewTopic("plain", 2, (short) 1),
                        new NewTopic("gone", 1, (short) 1),
                        new NewTopic("compacted", 1, (short) 1)
                                .configs(Map.of("cleanup.policy", "compact", "segment.ms", "1000")),
                        new NewTopic("tiered", 1, (short) 1).configs(tiered)))
                .all());
        await(admin.createPartitions(Map.of("plain", NewPartitions.increaseTo(3))).all());
    }

    private void settings(Admin admin) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "plain");
        Collection<AlterConfigOp> changes =
                List.of(new AlterConfigOp(new ConfigEntry("retention.ms", "9999999"), AlterConfigOp.OpType.SET));
        await(admin.incrementalAlterConfigs(Map.of(topic, changes)).all());
        ClientQuotaEntity user = new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "user"));
        ClientQuotaAlteration.Op rate = new ClientQuotaAlteration.Op("producer_byte_rate", 1e6);
        await(admin.alterClientQuotas(List.of(new ClientQuotaAlteration(user, List.of(rate)))).all());
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, "plain", PatternType.LITERAL);
        AccessControlEntry entry =
                new AccessControlEntry("User:user", "*", AclOperation.READ, AclPermissionType.ALLOW);
        await(admin.createAcls(Set.of(new AclBinding(pattern, entry))).all());
        ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096);
        await(admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("user", info, "secret")))
                .all());
    }

    private Map<String, Object> producing(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", address));
        settings.put("key.serializer", BYTES + "Serializer");
        settings.put("value.serializer", BYTES + "Serializer");
        settings.putAll(more);
        return settings;
    }

    private Map<String, Object> consuming(String group) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", address));
        settings.put("key.deserializer", BYTES + "Deserializer");
        settings.put("value.deserializer", BYTES + "Deserializer");
        settings.put("group.id", group);
        return settings;
    }

    private void records() throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            try (var producer = new KafkaProducer<byte[], byte[]>(producing(Map.of("compression.type", codec)))) {
                for (int number = 0; number < 20; number++) {
                    var record = new ProducerRecord<>("plain", 0, ("k" + number).getBytes(), codec.getBytes());
                    record.headers().add("header", number % 2 == 0 ? null : new byte[] {1});
                    producer.send(record).get();
                    producer.send(new ProducerRecord<>("compacted", ("k" + number % 3).getBytes(),
                            number == 19 ? null : codec.getBytes())).get();
                }
            }
        }
        try (var producer = new KafkaProducer<byte[], byte[]>(producing(Map.of()))) {
            for (int number = 0; number < 40; number++) {
                producer.send(new ProducerRecord<>("tiered", new byte[VALUE])).get();
            }
            producer.send(new ProducerRecord<>("gone", new byte[1])).get();
        }
    }

    private void transactions() throws Exception {
        try (var producer = new KafkaProducer<byte[], byte[]>(producing(Map.of("transactional.id", "mine")))) {
            producer.initTransactions();
            for (boolean commits : List.of(true, false)) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("plain", 1, null, "in a transaction".getBytes())).get();
                if (commits) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
    }

    private void group(Admin admin, String protocol) throws Exception {
        Map<String, Object> settings = consuming("group-" + protocol);
        settings.put("group.protocol", protocol);
        settings.put("auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<byte[], byte[]>(settings)) {
            consumer.subscribe(List.of("plain"));
            for (int tries = 0; tries < 40 && consumer.poll(PATIENCE).isEmpty(); tries++) {
                // The group is joined while polling.
            }
            consumer.commitSync();
        }
        await(admin.deleteConsumerGroupOffsets("group-" + protocol, Set.of(new TopicPartition("plain", 1))).all());
    }

    private void share() {
        Map<String, Object> settings = consuming("share");
        try (var consumer = new KafkaShareConsumer<byte[], byte[]>(settings)) {
            consumer.subscribe(List.of("plain"));
            for (int tries = 0; tries < 12; tries++) {
                consumer.poll(PATIENCE);
            }
            consumer.commitSync();
        }
    }

    private void deletions(Admin admin) throws Exception {
        List<KafkaFuture<?>> futures = new ArrayList<>();
        futures.add(admin.deleteTopics(List.of("gone")).all());
        futures.add(admin.deleteConsumerGroups(List.of("group-classic")).all());
        for (KafkaFuture<?> future : futures) {
            await(future);
        }
    }
}
