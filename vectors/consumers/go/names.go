package main

import (
	"reflect"
	"strings"
)

// renamed says what kmsg calls a field of Apache Kafka's definitions, where that is not the same name in another case.
// The first of the names that the struct has is meant: "Results" are the topics of one message and the groups of another.
var renamed = map[string]string{
	"AcceptableRecoveryLag":            "AcceptableRecoveryLagLegacy",
	"AssignedPartitions":               "Topics",
	"Assignment":                       "MemberAssignment",
	"Assignments":                      "GroupAssignment ReplicaAssignment Assignment",
	"AssignorName":                     "Assignor",
	"AuthBytes":                        "SASLAuthBytes",
	"BatchIndex":                       "RelativeOffset",
	"BatchIndexErrorMessage":           "ErrorMessage",
	"BrokerId":                         "NodeID",
	"BrokerIds":                        "Replicas",
	"ClusterAuthorizedOperations":      "AuthorizedOperations",
	"CommitTimestamp":                  "Timestamp",
	"Committed":                        "Commit",
	"CommittedLeaderEpoch":             "LeaderEpoch",
	"CommittedMetadata":                "Metadata",
	"CommittedOffset":                  "Offset",
	"ConfigOperation":                  "Op",
	"ConfigSource":                     "Source",
	"ConfigurationKeys":                "ConfigNames",
	"DurationFilter":                   "DurationFilterMillis",
	"EntityName":                       "Name",
	"EntityType":                       "Type",
	"ExpiryTimePeriodMs":               "ExpiryPeriodMillis",
	"FilterResults":                    "Results",
	"ForgottenTopicsData":              "ForgottenTopics",
	"GenerationId":                     "Generation",
	"GenerationIdOrMemberEpoch":        "Generation",
	"GroupEpoch":                       "Epoch",
	"GroupId":                          "Group",
	"GroupIds":                         "Groups",
	"GroupInstanceId":                  "InstanceID",
	"GroupState":                       "State",
	"GroupsNames":                      "Groups",
	"HostFilter":                       "Host",
	"Index":                            "Partition",
	"IsFutureKey":                      "IsFuture",
	"IsrNodes":                         "ISR",
	"Key":                              "CoordinatorKey",
	"KeyType":                          "CoordinatorType",
	"Leader":                           "LeaderID",
	"LeaderId":                         "Leader",
	"LogDir":                           "Dir",
	"Mechanisms":                       "SupportedMechanisms",
	"MemberMetadata":                   "ProtocolMetadata",
	"Metadata":                         "ProtocolMetadata",
	"Name":                             "Topic",
	"NewIsrWithEpochs":                 "NewEpochISR",
	"NodeEndpoints":                    "Brokers",
	"PartitionData":                    "Partitions",
	"PartitionErrorCode":               "ErrorCode",
	"PartitionId":                      "Partition",
	"PartitionIds":                     "Partitions",
	"PartitionIndex":                   "Partition",
	"PartitionIndexes":                 "Partitions",
	"PartitionResponses":               "Partitions",
	"PartitionResult":                  "Partitions",
	"PartitionSize":                    "Size",
	"Partitions":                       "NumPartitions",
	"Path":                             "Dir",
	"PatternType":                      "ResourcePatternType",
	"PatternTypeFilter":                "ResourcePatternType",
	"PrincipalFilter":                  "Principal",
	"ProtocolData":                     "Protocol",
	"ProtocolName":                     "Protocol",
	"RackId":                           "Rack",
	"RebalanceTimeout":                 "RebalanceTimeoutMillis",
	"RecordErrors":                     "ErrorRecords",
	"Records":                          "RecordBatches",
	"RenewPeriodMs":                    "RenewTimeMillis",
	"ReplicaDirectoryId":               "CandidateDirectoryID",
	"ReplicaElectionResults":           "Topics",
	"ReplicaEpoch":                     "CandidateEpoch Epoch",
	"ReplicaId":                        "CandidateID ID",
	"ReplicaNodes":                     "Replicas",
	"ResourceName":                     "Name",
	"ResourceNameFilter":               "ResourceName",
	"ResourceType":                     "Type",
	"ResourceTypeFilter":               "ResourceType",
	"Responses":                        "Topics Resources",
	"Results":                          "Topics Resources Groups Dirs",
	"ResultsByPartition":               "Partitions",
	"ResultsByTopicV3AndBelow":         "Topics",
	"ResultsByTransaction":             "Transactions",
	"SessionTimeout":                   "SessionTimeoutMillis",
	"SubscribedTopicNames":             "SubscribedTopics",
	"Synonyms":                         "ConfigSynonyms",
	"ThrottleTimeMs":                   "ThrottleMillis",
	"Tokens":                           "TokenDetails",
	"TopicAuthorizedOperations":        "AuthorizedOperations",
	"TopicConfigErrorCode":             "ConfigErrorCode",
	"TopicConfigs":                     "Configs",
	"TopicData":                        "Topics",
	"TopicId":                          "TopidID",
	"TopicName":                        "Topic",
	"TopicPartitions":                  "Topics",
	"TopicResults":                     "Topics",
	"TransactionLastUpdateTimestampMs": "LastUpdateTimestamp",
	"TransactionPartitions":            "Topics",
	"TransactionResult":                "Committed",
	"TransactionStartTimeMs":           "StartTimestamp",
	"TransactionStartTimestampMs":      "StartTimestamp",
	"TransactionState":                 "State",
	"TransactionStatus":                "State",
	"TransactionTimeoutMs":             "TransactionTimeoutMillis TimeoutMillis",
	"TransactionalId":                  "TransactionID",
	"UnalignedRecords":                 "Bytes",
	"V3AndBelowProducerEpoch":          "ProducerEpoch",
	"V3AndBelowProducerId":             "ProducerID",
	"V3AndBelowTopics":                 "Topics",
	"V3AndBelowTransactionalId":        "TransactionalID",
	"_tags":                            "UnknownTags",
}

// fieldOf returns the field of a struct that a definition calls so.
func fieldOf(value reflect.Value, name string) (reflect.Value, bool) {
	key := place{value.Type(), name}
	index, known := places[key]
	if !known {
		index = indexOf(key)
		places[key] = index
	}
	if index == nil {
		return reflect.Value{}, false
	}
	return value.FieldByIndex(index), true
}

// places remembers where fields are, for looking them up by name takes longer than all the rest.
var places = map[place][]int{}

type place struct {
	in   reflect.Type
	name string
}

func indexOf(p place) []int {
	title := strings.ToUpper(p.name[:1]) + p.name[1:] // a few definitions begin a name with a lower-case letter
	candidates := append(strings.Fields(renamed[title]), title)
	if before, ok := strings.CutSuffix(title, "Ms"); ok { // SessionTimeoutMs, IssueTimestampMs
		candidates = append(candidates, before+"Millis", before)
	}
	for _, candidate := range candidates {
		found := func(field string) bool { return strings.EqualFold(field, candidate) }
		if field, ok := p.in.FieldByNameFunc(found); ok {
			return field.Index
		}
	}
	return nil
}
