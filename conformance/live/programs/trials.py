"""Trying everything that is here: each server is built, started, asked and stopped; each client is built and run."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import click
from rich.console import Console
from rich.table import Table

from conformance.bridge.errors import HarnessStartError
from conformance.live.programs.asking import announced_apis
from conformance.live.programs.clients.client import BOOTSTRAP, SECONDS
from conformance.live.programs.memory import resident, watch_peak
from conformance.live.programs.servers import SERVERS, Server
from conformance.implementation.plain_values import printable_lines
from reference import ConformanceError, newest_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from conformance.live.programs.clients.client import ClientProgram
    from conformance.live.programs.servers import ServerProgram
