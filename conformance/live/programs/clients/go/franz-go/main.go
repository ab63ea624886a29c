// Franz-go, with kadm: topics, records, a group, transactions, and questions, on the cluster that KAFKA_BOOTSTRAP names.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafkawire/clients/session"
)

var (
	seeds = kgo.SeedBrokers(session.Bootstrap())
	name  = session.Name("franz-go")
)

func main() { session.Run(run) }

func run() (err error) {
	ctx := context.Background()
	client, err := kgo.NewClient(seeds)
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	if _, err := admin.CreateTopic(ctx, 2, 1, nil, name); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	defer func() {
		_, failure := admin.DeleteTopic(ctx, name)
		err = errors.Join(err, failure)
	}()
	for _, step := range []func(context.Context) error{produce, consume, transact} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := ask(ctx, admin); err != nil {
		return err
	}
	_, err = admin.DeleteGroup(ctx, name)
	return err
}

// produce writes records with and without key, value and headers, and a compressed batch.
func produce(ctx context.Context) error {
	plain, err := kgo.NewClient(seeds, kgo.DefaultProduceTopic(name), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		return err
	}
	defer plain.Close()
	headers := []kgo.RecordHeader{{Key: "first", Value: []byte("1")}, {Key: "empty", Value: []byte{}}, {Key: "null"}}
	records := []*kgo.Record{
		{Value: []byte("without a key")},
		{Key: []byte("key"), Value: []byte("with headers"), Headers: headers},
		{Key: []byte("key")},
	}
	if err := plain.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return fmt.Errorf("produce: %w", err)
	}
	compressed, err := kgo.NewClient(seeds, kgo.DefaultProduceTopic(name), kgo.ProducerBatchCompression(kgo.GzipCompression()))
	if err != nil {
		return err
	}
	defer compressed.Close()
	records = nil
	for number := range session.Records - len(headers) {
		records = append(records, kgo.KeyStringRecord(fmt.Sprint(number), strings.Repeat("x", 100)))
	}
	if err := compressed.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return fmt.Errorf("produce compressed: %w", err)
	}
	return nil
}

// consume reads everything in a group, and commits.
func consume(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, session.Seconds)
	defer cancel()
	start := kgo.ConsumeResetOffset(kgo.NewOffset().AtStart())
	client, err := kgo.NewClient(seeds, kgo.ConsumerGroup(name), kgo.ConsumeTopics(name), start, kgo.DisableAutoCommit())
	if err != nil {
		return err
	}
	defer client.Close()
	for count := 0; count < session.Records; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return fmt.Errorf("consume: %w", err)
		}
		count += fetches.NumRecords()
	}
	if err := client.CommitUncommittedOffsets(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return client.LeaveGroupContext(ctx)
}

// transact writes in two transactions: one that commits offsets as well, one that is aborted.
func transact(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, session.Seconds)
	defer cancel()
	start := kgo.ConsumeResetOffset(kgo.NewOffset().AtStart())
	transaction, err := kgo.NewGroupTransactSession(
		seeds, kgo.TransactionalID(name), kgo.DefaultProduceTopic(name),
		kgo.ConsumerGroup(name+"-2"), kgo.ConsumeTopics(name), start,
	)
	if err != nil {
		return err
	}
	defer transaction.Close()
	for _, how := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort} {
		if how == kgo.TryCommit {
			if err := transaction.PollFetches(ctx).Err(); err != nil {
				return fmt.Errorf("consume for a transaction: %w", err)
			}
		}
		if err := transaction.Begin(); err != nil {
			return err
		}
		if err := transaction.ProduceSync(ctx, kgo.KeyStringRecord("key", "in a transaction")).FirstErr(); err != nil {
			return fmt.Errorf("produce in a transaction: %w", err)
		}
		if _, err := transaction.End(ctx, how); err != nil {
			return fmt.Errorf("end a transaction: %w", err)
		}
	}
	return nil
}

// ask asks about the cluster, the topic and the group.
func ask(ctx context.Context, admin *kadm.Client) error {
	_, brokers := admin.BrokerMetadata(ctx)
	_, topics := admin.ListTopics(ctx)
	_, configs := admin.DescribeTopicConfigs(ctx, name)
	_, ends := admin.ListEndOffsets(ctx, name)
	_, groups := admin.ListGroups(ctx)
	_, described := admin.DescribeGroups(ctx, name)
	_, offsets := admin.FetchOffsets(ctx, name)
	_, transactions := admin.ListTransactions(ctx, nil, nil)
	_, second := admin.DeleteGroup(ctx, name+"-2")
	return errors.Join(brokers, topics, configs, ends, groups, described, offsets, transactions, second)
}
