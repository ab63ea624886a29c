"""A server of S3 on the loopback interface, and Spark's settings for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto.server import ThreadedMotoServer

LOOPBACK = "127.0.0.1"
BUCKET, REGION = "campaigns", "us-east-1"
KEYS = {"aws_access_key_id": "nobody", "aws_secret_access_key": "nothing"}

AMAZON = ("s3", "s3-transfer-manager", "sts", "apache-client", "netty-nio-client")
"""The modules of Amazon's SDK that S3A needs, in place of the bundle of all, which is 30 times as large."""

S3A = ["org.apache.hadoop:hadoop-aws:3.5.0", *(f"software.amazon.awssdk:{name}:2.35.4" for name in AMAZON)]
"""The packages of S3A for PySpark's Hadoop."""

CLOUD = "org.apache.spark:spark-hadoop-cloud_2.13:4.1.2"
MAGIC = {
    "spark.hadoop.fs.s3a.committer.name": "magic",
    "spark.hadoop.mapreduce.outputcommitter.factory.scheme.s3a": "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory",
    "spark.sql.sources.commitProtocolClass": "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol",
    "spark.sql.parquet.output.committer.class": "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter",
}


@contextmanager
def object_store() -> Iterator[str]:
    """Yield the address of a server with an empty bucket."""
    server = ThreadedMotoServer(ip_address=LOOPBACK, port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    client_of(address).create_bucket(Bucket=BUCKET)
    try:
        yield address
    finally:
        server.stop()


def client_of(address: str) -> Any:
    """Return a client of a server."""
    return boto3.client("s3", endpoint_url=address, region_name=REGION, **KEYS)


def settings_of(address: str, *, is_magic: bool) -> dict[str, str]:
    """Return Spark's settings for a server, with the magic committer or the usual one."""
    s3a = {
        "endpoint": address,
        "endpoint.region": REGION,
        "path.style.access": "true",
        "connection.ssl.enabled": "false",
        "access.key": KEYS["aws_access_key_id"],
        "secret.key": KEYS["aws_secret_access_key"],
        "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
    }
    return {
        "spark.jars.packages": ",".join([*S3A, *([CLOUD] if is_magic else [])]),
        "spark.jars.excludes": "software.amazon.awssdk:bundle",
        **{f"spark.hadoop.fs.s3a.{name}": value for name, value in s3a.items()},
        **(MAGIC if is_magic else {}),
    }
