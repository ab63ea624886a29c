"""An object store on the loopback interface, and a way to it with lost requests."""

from collections.abc import Iterator
from urllib.parse import quote
from urllib.request import Request, urlopen

import boto3
import pytest
from moto.server import ThreadedMotoServer

from tests.helpers.lossy_proxy import LOOPBACK, LossyProxy

BUCKET = "campaigns"
ACCESS = {
    "AWS_ACCESS_KEY_ID": "nobody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Yield the port of a server of S3 on the loopback interface, with an empty bucket."""
    for name, value in ACCESS.items():
        monkeypatch.setenv(name, value)
    server = ThreadedMotoServer(ip_address=LOOPBACK, port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()  # else it has what others have put
    boto3.client("s3", endpoint_url=f"http://{host}:{port}").create_bucket(Bucket=BUCKET)
    try:
        yield port
    finally:
        server.stop()


@pytest.fixture
def proxy(store: int) -> Iterator[LossyProxy]:
    between = LossyProxy(store, lose=7, delay=5)
    try:
        yield between
    finally:
        between.close()


def uri(port: int, folder: str) -> str:
    return f"s3://{BUCKET}/{folder}?endpoint_override={quote(f'http://{LOOPBACK}:{port}', safe='')}"
