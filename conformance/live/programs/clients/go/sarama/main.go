// Sarama: topics, records, a group, transactions, and questions, on the cluster that KAFKA_BOOTSTRAP names.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/IBM/sarama"

	"kafkawire/clients/session"
)

var (
	brokers = []string{session.Bootstrap()}
	name    = session.Name("sarama")
)

func main() { session.Run(run) }

func configuration() *sarama.Config {
	configuration := sarama.NewConfig()
	configuration.Version = sarama.MaxVersion
	configuration.Producer.Return.Successes = true
	return configuration
}

func run() (err error) {
	admin, err := sarama.NewClusterAdmin(brokers, configuration())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, admin.Close()) }()
	if err := admin.CreateTopic(name, &sarama.TopicDetail{NumPartitions: 2, ReplicationFactor: 1}, false); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	defer func() { err = errors.Join(err, admin.DeleteTopic(name)) }()
	for _, step := range []func() error{produce, consume, transact} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := ask(admin); err != nil {
		return err
	}
	return admin.DeleteConsumerGroup(name)
}

// produce writes records with and without key, value and headers, and a compressed batch.
func produce() error {
	headers := []sarama.RecordHeader{{Key: []byte("first"), Value: []byte("1")}, {Key: []byte("empty"), Value: []byte{}}}
	messages := []*sarama.ProducerMessage{
		{Topic: name, Value: sarama.StringEncoder("without a key")},
		{Topic: name, Key: sarama.StringEncoder("key"), Value: sarama.StringEncoder("with headers"), Headers: headers},
		{Topic: name, Key: sarama.StringEncoder("key")},
	}
	if err := send(configuration(), messages); err != nil {
		return fmt.Errorf("produce: %w", err)
	}
	compressed := configuration()
	compressed.Producer.Compression = sarama.CompressionGZIP
	compressed.Producer.Flush.Frequency = 50 * time.Millisecond
	rest := session.Records - len(messages)
	messages = nil
	for number := range rest {
		value := sarama.StringEncoder(strings.Repeat("x", 100))
		messages = append(messages, &sarama.ProducerMessage{Topic: name, Key: sarama.StringEncoder(fmt.Sprint(number)), Value: value})
	}
	if err := send(compressed, messages); err != nil {
		return fmt.Errorf("produce compressed: %w", err)
	}
	return nil
}

func send(configuration *sarama.Config, messages []*sarama.ProducerMessage) error {
	producer, err := sarama.NewSyncProducer(brokers, configuration)
	if err != nil {
		return err
	}
	return errors.Join(producer.SendMessages(messages), producer.Close())
}

// consume reads everything in a group, and commits.
func consume() error {
	ctx, cancel := context.WithTimeout(context.Background(), session.Seconds)
	defer cancel()
	settings := configuration()
	settings.Consumer.Offsets.Initial = sarama.OffsetOldest
	settings.Consumer.Offsets.AutoCommit.Enable = false
	group, err := sarama.NewConsumerGroup(brokers, name, settings)
	if err != nil {
		return err
	}
	handler := &reader{read: make(chan struct{}, session.Records), done: cancel}
	failure := group.Consume(ctx, []string{name}, handler)
	if len(handler.read) < session.Records {
		failure = errors.Join(failure, fmt.Errorf("%d records of %d came", len(handler.read), session.Records))
	}
	return errors.Join(failure, group.Close())
}

// reader counts records; when all are there, it commits and is done.
type reader struct {
	read chan struct{}
	done func()
}

func (*reader) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (*reader) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (reader *reader) ConsumeClaim(group sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case message := <-claim.Messages():
			if message == nil {
				return nil
			}
			group.MarkMessage(message, "")
			reader.read <- struct{}{}
			if len(reader.read) == session.Records {
				group.Commit()
				reader.done()
			}
		case <-group.Context().Done():
			return nil
		}
	}
}

// transact writes in two transactions: one that commits offsets as well, one that is aborted.
func transact() error {
	settings := configuration()
	settings.Producer.Idempotent = true
	settings.Producer.Transaction.ID = name
	settings.Producer.RequiredAcks = sarama.WaitForAll
	settings.Net.MaxOpenRequests = 1
	producer, err := sarama.NewSyncProducer(brokers, settings)
	if err != nil {
		return fmt.Errorf("begin to produce in transactions: %w", err)
	}
	offsets := map[string][]*sarama.PartitionOffsetMetadata{name: {{Partition: 0, Offset: 1}}}
	message := &sarama.ProducerMessage{Topic: name, Value: sarama.StringEncoder("in a transaction")}
	steps := []func() error{
		producer.BeginTxn,
		func() error { return producer.SendMessages([]*sarama.ProducerMessage{message}) },
		func() error { return producer.AddOffsetsToTxn(offsets, name) },
		producer.CommitTxn,
		producer.BeginTxn,
		func() error { return producer.SendMessages([]*sarama.ProducerMessage{message}) },
		producer.AbortTxn,
		producer.Close,
	}
	for number, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("step %d of a transaction: %w", number, err)
		}
	}
	return nil
}

// ask asks about the cluster, the topic and the group.
func ask(admin sarama.ClusterAdmin) error {
	_, _, cluster := admin.DescribeCluster()
	_, topics := admin.ListTopics()
	_, topic := admin.DescribeTopics([]string{name})
	_, configs := admin.DescribeConfig(sarama.ConfigResource{Type: sarama.TopicResource, Name: name})
	_, groups := admin.ListConsumerGroups()
	_, described := admin.DescribeConsumerGroups([]string{name})
	_, offsets := admin.ListConsumerGroupOffsets(name, map[string][]int32{name: {0, 1}})
	return errors.Join(cluster, topics, topic, configs, groups, described, offsets)
}
