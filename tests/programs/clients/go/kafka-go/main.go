// Kafka-go, Segment's: topics, records, a group, a transaction, and questions, on the cluster that KAFKA_BOOTSTRAP names.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/segmentio/kafka-go"

	"kafkawire/clients/session"
)

var (
	address = session.Bootstrap()
	name    = session.Name("kafka-go")
	client  = &kafka.Client{Addr: kafka.TCP(address), Timeout: session.Seconds}
	codecs  = []kafka.Compression{kafka.Gzip, kafka.Snappy, kafka.Lz4, kafka.Zstd}
)

const last = "the last record"

func main() { session.Run(run) }

func run() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), session.Seconds)
	defer cancel()
	topics := []kafka.TopicConfig{{Topic: name, NumPartitions: 2, ReplicationFactor: 1}}
	created, err := client.CreateTopics(ctx, &kafka.CreateTopicsRequest{Topics: topics})
	if err = first(err, created); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), session.Seconds)
		defer cancel()
		_, failure := client.DeleteTopics(ctx, &kafka.DeleteTopicsRequest{Topics: []string{name}})
		err = errors.Join(err, failure)
	}()
	return session.Steps(produce, consume, transact, readCommitted, ask, askAboutBrokers, change)
}

// first is the error of a call, or that of the topic.
func first(err error, response *kafka.CreateTopicsResponse) error {
	if err != nil {
		return err
	}
	return response.Errors[name]
}

// produce writes records with and without key, value and headers, and a batch of each compression.
func produce(ctx context.Context) error {
	headers := []kafka.Header{{Key: "first", Value: []byte("1")}, {Key: "empty", Value: []byte{}}}
	messages := []kafka.Message{
		{Value: []byte("without a key")},
		{Key: []byte("key"), Value: []byte("with headers"), Headers: headers},
		{Key: []byte("key")},
	}
	plain := &kafka.Writer{Addr: kafka.TCP(address), Topic: name, RequiredAcks: kafka.RequireAll, BatchTimeout: time.Millisecond}
	if err := errors.Join(plain.WriteMessages(ctx, messages...), plain.Close()); err != nil {
		return fmt.Errorf("produce: %w", err)
	}
	rest := session.Records - len(messages)
	for _, codec := range codecs {
		if err := produceCompressed(ctx, codec, rest/len(codecs)); err != nil {
			return fmt.Errorf("produce compressed: %w", err)
		}
	}
	return nil
}

func produceCompressed(ctx context.Context, codec kafka.Compression, count int) error {
	var messages []kafka.Message
	for number := range count {
		value := []byte(strings.Repeat("x", 100))
		messages = append(messages, kafka.Message{Key: []byte(fmt.Sprint(number)), Value: value})
	}
	compressed := &kafka.Writer{
		Addr: kafka.TCP(address), Topic: name, RequiredAcks: kafka.RequireOne, Balancer: &kafka.Hash{},
		Compression: codec, BatchTimeout: 20 * time.Millisecond,
	}
	return errors.Join(compressed.WriteMessages(ctx, messages...), compressed.Close())
}

// consume reads everything in a group, and commits.
func consume(ctx context.Context) error {
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: []string{address}, GroupID: name, Topic: name, StartOffset: kafka.FirstOffset, MaxWait: 200 * time.Millisecond,
	})
	for range session.Records {
		message, err := reader.FetchMessage(ctx)
		if err != nil {
			return fmt.Errorf("consume: %w", errors.Join(err, reader.Close()))
		}
		if err := reader.CommitMessages(ctx, message); err != nil {
			return fmt.Errorf("commit: %w", errors.Join(err, reader.Close()))
		}
	}
	return reader.Close()
}

// transact begins a transaction by the requests that there are: this library's writers have none.
func transact(ctx context.Context) error {
	producer, err := client.InitProducerID(ctx, &kafka.InitProducerIDRequest{
		TransactionalID: name, TransactionTimeoutMs: 10_000, ProducerID: -1, ProducerEpoch: -1,
	})
	if err == nil {
		err = producer.Error
	}
	if err != nil {
		return fmt.Errorf("producer id: %w", err)
	}
	id, epoch := producer.Producer.ProducerID, producer.Producer.ProducerEpoch
	added, err := client.AddPartitionsToTxn(ctx, &kafka.AddPartitionsToTxnRequest{
		TransactionalID: name, ProducerID: id, ProducerEpoch: epoch,
		Topics: map[string][]kafka.AddPartitionToTxn{name: {{Partition: 0}}},
	})
	if err != nil {
		return fmt.Errorf("partitions of a transaction: %w", err)
	}
	for _, partition := range added.Topics[name] {
		if partition.Error != nil {
			return fmt.Errorf("partition of a transaction: %w", partition.Error)
		}
	}
	offsets, err := client.AddOffsetsToTxn(ctx, &kafka.AddOffsetsToTxnRequest{
		TransactionalID: name, ProducerID: id, ProducerEpoch: epoch, GroupID: name,
	})
	if err == nil {
		err = offsets.Error
	}
	if err != nil {
		return fmt.Errorf("offsets of a transaction: %w", err)
	}
	_, err = client.TxnOffsetCommit(ctx, &kafka.TxnOffsetCommitRequest{
		TransactionalID: name, GroupID: name, ProducerID: id, ProducerEpoch: epoch, GenerationID: -1,
		Topics: map[string][]kafka.TxnOffsetCommit{name: {{Partition: 0, Offset: 1}}},
	})
	if err != nil {
		return fmt.Errorf("commit offsets in a transaction: %w", err)
	}
	ended, err := client.EndTxn(ctx, &kafka.EndTxnRequest{
		TransactionalID: name, ProducerID: id, ProducerEpoch: epoch, Committed: true,
	})
	if err == nil {
		err = ended.Error
	}
	if err != nil {
		return fmt.Errorf("end of a transaction: %w", err)
	}
	return nil
}

// readCommitted reads on in the group up to a record that is written before.
func readCommitted(ctx context.Context) error {
	writer := &kafka.Writer{Addr: kafka.TCP(address), Topic: name, RequiredAcks: kafka.RequireAll, BatchTimeout: time.Millisecond}
	if err := errors.Join(writer.WriteMessages(ctx, kafka.Message{Value: []byte(last)}), writer.Close()); err != nil {
		return fmt.Errorf("produce the last record: %w", err)
	}
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: []string{address}, GroupID: name, Topic: name, IsolationLevel: kafka.ReadCommitted, MaxWait: 200 * time.Millisecond,
	})
	for {
		message, err := reader.ReadMessage(ctx)
		if err != nil {
			return fmt.Errorf("read what was committed: %w", errors.Join(err, reader.Close()))
		}
		if string(message.Value) == last {
			return reader.Close()
		}
	}
}

// ask asks about the cluster, the topic and the group.
func ask(ctx context.Context) error {
	_, versions := client.ApiVersions(ctx, &kafka.ApiVersionsRequest{})
	_, metadata := client.Metadata(ctx, &kafka.MetadataRequest{Topics: []string{name}})
	resources := []kafka.DescribeConfigRequestResource{{ResourceType: kafka.ResourceTypeTopic, ResourceName: name}}
	_, configs := client.DescribeConfigs(ctx, &kafka.DescribeConfigsRequest{Resources: resources})
	offset := map[string][]kafka.OffsetRequest{name: {kafka.FirstOffsetOf(0), kafka.LastOffsetOf(1)}}
	_, ends := client.ListOffsets(ctx, &kafka.ListOffsetsRequest{Topics: offset})
	_, groups := client.ListGroups(ctx, &kafka.ListGroupsRequest{})
	_, described := client.DescribeGroups(ctx, &kafka.DescribeGroupsRequest{GroupIDs: []string{name}})
	_, offsets := client.OffsetFetch(ctx, &kafka.OffsetFetchRequest{GroupID: name, Topics: map[string][]int{name: {0, 1}}})
	fetched, read := client.Fetch(ctx, &kafka.FetchRequest{Topic: name, Offset: 0, MaxBytes: 1 << 20, MinBytes: 1, MaxWait: time.Second})
	if read == nil {
		read = fetched.Error
	}
	return errors.Join(versions, metadata, configs, ends, groups, described, offsets, read)
}

// askAboutBrokers asks about brokers, their configurations, coordinators, quotas and users.
func askAboutBrokers(ctx context.Context) error {
	metadata, err := client.Metadata(ctx, &kafka.MetadataRequest{Topics: []string{name}})
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	broker := kafka.DescribeConfigRequestResource{
		ResourceType: kafka.ResourceTypeBroker, ResourceName: fmt.Sprint(metadata.Controller.ID),
	}
	_, configs := client.DescribeConfigs(ctx, &kafka.DescribeConfigsRequest{Resources: []kafka.DescribeConfigRequestResource{broker}})
	_, group := client.FindCoordinator(ctx, &kafka.FindCoordinatorRequest{Key: name, KeyType: kafka.CoordinatorKeyTypeConsumer})
	_, transaction := client.FindCoordinator(ctx, &kafka.FindCoordinatorRequest{Key: name, KeyType: kafka.CoordinatorKeyTypeTransaction})
	partitions := map[string]kafka.ListPartitionReassignmentsRequestTopic{name: {PartitionIndexes: []int{0, 1}}}
	_, reassignments := client.ListPartitionReassignments(ctx, &kafka.ListPartitionReassignmentsRequest{Topics: partitions})
	_, quotas := client.DescribeClientQuotas(ctx, &kafka.DescribeClientQuotasRequest{})
	_, users := client.DescribeUserScramCredentials(ctx, &kafka.DescribeUserScramCredentialsRequest{})
	return errors.Join(configs, group, transaction, reassignments, quotas, users)
}

// change changes the topic and what the group has committed, and takes the group away.
func change(ctx context.Context) error {
	_, replaced := client.AlterConfigs(ctx, &kafka.AlterConfigsRequest{Resources: []kafka.AlterConfigRequestResource{{
		ResourceType: kafka.ResourceTypeTopic, ResourceName: name,
		Configs: []kafka.AlterConfigRequestConfig{{Name: "retention.ms", Value: "3600000"}},
	}}})
	_, altered := client.IncrementalAlterConfigs(ctx, &kafka.IncrementalAlterConfigsRequest{
		Resources: []kafka.IncrementalAlterConfigsRequestResource{{
			ResourceType: kafka.ResourceTypeTopic, ResourceName: name,
			Configs: []kafka.IncrementalAlterConfigsRequestConfig{{Name: "retention.ms", Value: "3600000"}},
		}},
	})
	_, committed := client.OffsetCommit(ctx, &kafka.OffsetCommitRequest{
		GroupID: name, GenerationID: -1, Topics: map[string][]kafka.OffsetCommit{name: {{Partition: 0, Offset: 2}}},
	})
	_, deleted := client.OffsetDelete(ctx, &kafka.OffsetDeleteRequest{GroupID: name, Topics: map[string][]int{name: {0}}})
	_, created := client.CreatePartitions(ctx, &kafka.CreatePartitionsRequest{
		Topics: []kafka.TopicPartitionsConfig{{Name: name, Count: 3}},
	})
	_, elected := client.ElectLeaders(ctx, &kafka.ElectLeadersRequest{Topic: name, Partitions: []int{0}})
	_, groups := client.DeleteGroups(ctx, &kafka.DeleteGroupsRequest{GroupIDs: []string{name}})
	return errors.Join(replaced, altered, committed, deleted, created, elected, groups)
}
