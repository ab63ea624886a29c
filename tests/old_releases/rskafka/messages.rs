//! The structs of the library's messages, with the versions that its comments give their fields.

use crate::bridge::Entry;
use crate::{request, response, structure};
use rskafka::protocol::messages::*;

structure!(ApiVersionsRequest, {0 client_software_name "3+" 1 client_software_version "3+"}, tagged_fields, {tagged_fields: None});
structure!(ApiVersionsResponse, {0 error_code "" 1 api_keys "" 2 throttle_time_ms "1+"}, tagged_fields, {tagged_fields: None});
structure!(ApiVersionsResponseApiKey, {0 api_key "" 1 min_version "" 2 max_version ""}, tagged_fields, {tagged_fields: None});

structure!(CreateTopicsRequest, {0 topics "" 1 timeout_ms "" 2 validate_only "1+"}, tagged_fields, {tagged_fields: None});
structure!(CreateTopicRequest, {0 name "" 1 num_partitions "" 2 replication_factor "" 3 assignments "" 4 configs ""}, tagged_fields, {tagged_fields: None});
structure!(CreateTopicAssignment, {0 partition_index "" 1 broker_ids ""}, tagged_fields, {tagged_fields: None});
structure!(CreateTopicConfig, {0 name "" 1 value ""}, tagged_fields, {tagged_fields: None});

structure!(DeleteRecordsRequest, {0 topics "" 1 timeout_ms ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteRequestTopic, {0 name "" 1 partitions ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteRequestPartition, {0 partition_index "" 1 offset ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteRecordsResponse, {0 throttle_time_ms "" 1 topics ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteResponseTopic, {0 name "" 1 partitions ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteResponsePartition, {0 partition_index "" 1 low_watermark "" 2 error ""}, tagged_fields, {tagged_fields: None});

structure!(DeleteTopicsRequest, {0 topic_names "" 1 timeout_ms ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteTopicsResponse, {0 throttle_time_ms "1+" 1 responses ""}, tagged_fields, {tagged_fields: None});
structure!(DeleteTopicsResponseTopic, {0 name "" 1 error "" 2 error_message "5+"}, tagged_fields, {tagged_fields: None});

structure!(FetchRequest, {0 replica_id "" 1 max_wait_ms "" 2 min_bytes "" 3 max_bytes "3+" 4 isolation_level "4+" 5 topics ""},, {});
structure!(FetchRequestTopic, {0 topic "" 1 partitions ""},, {});
structure!(FetchRequestPartition, {0 partition "" 1 fetch_offset "" 2 partition_max_bytes ""},, {});

structure!(ListOffsetsRequest, {0 replica_id "" 1 isolation_level "2+" 2 topics ""},, {});
structure!(ListOffsetsRequestTopic, {0 name "" 1 partitions ""},, {});
structure!(ListOffsetsRequestPartition, {0 partition_index "" 1 timestamp "" 2 max_num_offsets "0"},, {});
structure!(ListOffsetsResponse, {0 throttle_time_ms "2+" 1 topics ""},, {});
structure!(ListOffsetsResponseTopic, {0 name "" 1 partitions ""},, {});
structure!(ListOffsetsResponsePartition, {0 partition_index "" 1 error_code "" 2 old_style_offsets "0" 3 timestamp "1+" 4 offset "1+"},, {});

structure!(MetadataRequest, {0 topics "" 1 allow_auto_topic_creation "4+"},, {});
structure!(MetadataRequestTopic, {0 name ""},, {});
structure!(MetadataResponse, {0 throttle_time_ms "3+" 1 brokers "" 2 cluster_id "2+" 3 controller_id "1+" 4 topics ""},, {});
structure!(MetadataResponseBroker, {0 node_id "" 1 host "" 2 port "" 3 rack "1+"},, {});
structure!(MetadataResponseTopic, {0 error "" 1 name "" 2 is_internal "1+" 3 partitions ""},, {});
structure!(MetadataResponsePartition, {0 error "" 1 partition_index "" 2 leader_id "" 3 replica_nodes "" 4 isr_nodes ""},, {});

structure!(ProduceRequest, {0 transactional_id "3+" 1 acks "" 2 timeout_ms "" 3 topic_data ""},, {});
structure!(ProduceRequestTopicData, {0 name "" 1 partition_data ""},, {});
structure!(ProduceRequestPartitionData, {0 index "" 1 records ""},, {});
structure!(ProduceResponse, {0 responses "" 1 throttle_time_ms "1+"},, {});
structure!(ProduceResponseResponse, {0 name "" 1 partition_responses ""},, {});
structure!(ProduceResponsePartitionResponse, {0 index "" 1 error "" 2 base_offset "" 3 log_append_time_ms "2+" 4 log_start_offset "5+"},, {});

structure!(SaslHandshakeRequest, {0 mechanism ""},, {});
structure!(SaslHandshakeResponse, {0 error_code "" 1 mechanisms ""},, {});
structure!(SaslAuthenticateRequest, {0 auth_bytes ""}, tagged_fields, {tagged_fields: None});
structure!(SaslAuthenticateResponse, {0 error_code "" 1 error_message "" 2 auth_bytes "" 3 session_lifetime_ms "1+"}, tagged_fields, {tagged_fields: None});

pub fn entries() -> Vec<Entry> {
    vec![
        request::<ApiVersionsRequest>("ApiVersionsRequest"),
        response::<ApiVersionsRequest, _>("ApiVersionsResponse"),
        request::<CreateTopicsRequest>("CreateTopicsRequest"),
        request::<DeleteRecordsRequest>("DeleteRecordsRequest"),
        response::<DeleteRecordsRequest, _>("DeleteRecordsResponse"),
        request::<DeleteTopicsRequest>("DeleteTopicsRequest"),
        response::<DeleteTopicsRequest, _>("DeleteTopicsResponse"),
        request::<FetchRequest>("FetchRequest"),
        request::<ListOffsetsRequest>("ListOffsetsRequest"),
        response::<ListOffsetsRequest, _>("ListOffsetsResponse"),
        request::<MetadataRequest>("MetadataRequest"),
        response::<MetadataRequest, _>("MetadataResponse"),
        request::<ProduceRequest>("ProduceRequest"),
        response::<ProduceRequest, _>("ProduceResponse"),
        request::<SaslHandshakeRequest>("SaslHandshakeRequest"),
        response::<SaslHandshakeRequest, _>("SaslHandshakeResponse"),
        request::<SaslAuthenticateRequest>("SaslAuthenticateRequest"),
        response::<SaslAuthenticateRequest, _>("SaslAuthenticateResponse"),
    ]
}
