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

	codecs = []kgo.CompressionCodec{kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}
)

const committed = "in a transaction"

func main() { session.Run(run) }

func run() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), session.Seconds)
	defer cancel()
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
		ctx, cancel := context.WithTimeout(context.Background(), session.Seconds)
		defer cancel()
		_, failure := admin.DeleteTopic(ctx, name)
		err = errors.Join(err, failure)
	}()
	administer := func(step func(context.Context, *kadm.Client) error) func(context.Context) error {
		return func(ctx context.Context) error { return step(ctx, admin) }
	}
	return session.Steps(
		produce, consume, transact, readCommitted, administer(ask), administer(askAboutBrokers), administer(change),
	)
}

// produce writes records with and without key, value and headers, and a batch of each compression.
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
	rest := session.Records - len(headers)
	for _, codec := range codecs {
		if err := produceCompressed(ctx, codec, rest/len(codecs)); err != nil {
			return fmt.Errorf("produce compressed: %w", err)
		}
	}
	return nil
}

func produceCompressed(ctx context.Context, codec kgo.CompressionCodec, count int) error {
	client, err := kgo.NewClient(seeds, kgo.DefaultProduceTopic(name), kgo.ProducerBatchCompression(codec))
	if err != nil {
		return err
	}
	defer client.Close()
	records := make([]*kgo.Record, count)
	for number := range records {
		records[number] = kgo.KeyStringRecord(fmt.Sprint(number), strings.Repeat("x", 100))
	}
	return client.ProduceSync(ctx, records...).FirstErr()
}

// consume reads everything in a group, and commits.
func consume(ctx context.Context) error {
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
		if err := transaction.ProduceSync(ctx, kgo.KeyStringRecord("key", committed)).FirstErr(); err != nil {
			return fmt.Errorf("produce in a transaction: %w", err)
		}
		if _, err := transaction.End(ctx, how); err != nil {
			return fmt.Errorf("end a transaction: %w", err)
		}
	}
	return nil
}

// readCommitted reads on in the group up to the record of the transaction that was committed.
func readCommitted(ctx context.Context) error {
	isolation := kgo.FetchIsolationLevel(kgo.ReadCommitted())
	client, err := kgo.NewClient(seeds, kgo.ConsumerGroup(name), kgo.ConsumeTopics(name), isolation)
	if err != nil {
		return err
	}
	defer client.Close()
	for found := false; !found; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return fmt.Errorf("read what was committed: %w", err)
		}
		fetches.EachRecord(func(record *kgo.Record) { found = found || string(record.Value) == committed })
	}
	return client.LeaveGroupContext(ctx)
}

// ask asks about the topic, the groups and the transaction.
func ask(ctx context.Context, admin *kadm.Client) error {
	_, topics := admin.ListTopics(ctx)
	_, configs := admin.DescribeTopicConfigs(ctx, name)
	_, starts := admin.ListStartOffsets(ctx, name)
	_, ends := admin.ListEndOffsets(ctx, name)
	_, groups := admin.ListGroups(ctx)
	_, described := admin.DescribeGroups(ctx, name, name+"-2")
	_, offsets := admin.FetchOffsets(ctx, name)
	_, lags := admin.Lag(ctx, name)
	_, transactions := admin.ListTransactions(ctx, nil, nil)
	_, transaction := admin.DescribeTransactions(ctx, name)
	_, producers := admin.DescribeProducers(ctx, partitions())
	return errors.Join(topics, configs, starts, ends, groups, described, offsets, lags, transactions, transaction, producers)
}

// partitions are those of the topic.
func partitions() kadm.TopicsSet {
	set := kadm.TopicsSet{}
	set.Add(name, 0, 1)
	return set
}

// askAboutBrokers asks about brokers, their configurations, quotas and users.
func askAboutBrokers(ctx context.Context, admin *kadm.Client) error {
	brokers, failure := admin.ListBrokers(ctx)
	if failure != nil {
		return fmt.Errorf("list brokers: %w", failure)
	}
	_, versions := admin.ApiVersions(ctx)
	_, configs := admin.DescribeBrokerConfigs(ctx, brokers.NodeIDs()...)
	_, folders := admin.DescribeAllLogDirs(ctx, partitions())
	_, reassignments := admin.ListPartitionReassignments(ctx, partitions())
	_, quotas := admin.DescribeClientQuotas(ctx, false, nil)
	_, users := admin.DescribeUserSCRAMs(ctx)
	return errors.Join(versions, configs, folders, reassignments, quotas, users)
}

// change changes the topic and what the group has committed, and takes the groups away.
func change(ctx context.Context, admin *kadm.Client) error {
	value := "3600000"
	setting := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "retention.ms", Value: &value}}
	_, altered := admin.AlterTopicConfigs(ctx, setting, name)
	_, replaced := admin.AlterTopicConfigsState(ctx, setting, name)
	_, partitions := admin.CreatePartitions(ctx, 1, name)
	offsets := kadm.Offsets{}
	offsets.AddOffset(name, 0, 1, -1)
	_, records := admin.DeleteRecords(ctx, offsets)
	_, committed := admin.CommitOffsets(ctx, name, offsets)
	_, forgotten := admin.DeleteOffsets(ctx, name, kadm.TopicsSet{name: {0: {}}})
	_, groups := admin.DeleteGroups(ctx, name, name+"-2")
	return errors.Join(altered, replaced, partitions, records, committed, forgotten, groups)
}
