"""Python with numpy in the sandbox: what it computes, and what it cannot reach."""

import platform
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.agents.tools.computing import sandboxed_python
from research.agents.tools.computing.sandboxed_python import LIMITS, ComputationFailed, NoSandbox, run_python
from research.runtime.sandbox.sandbox_worker import SandboxWorker
from research.runtime.sandbox.seccomp import SandboxLayer

SHORT = replace(LIMITS, cpu_seconds=1)


def test_code_computes_over_its_inputs_and_prints():
    inputs = {"t": {"columns": ["a"], "rows": [[1.0], [3.0], [8.0]]}}
    code = "import statistics\nx = [row[0] for row in t['rows']]\nprint(len(x))\n"
    code += "r = {'mean': np.mean(x), 'mid': statistics.median(x)}"
    found = run_python(code, inputs, "r")
    assert (found.value, found.printed) == ({"mean": 4.0, "mid": 3.0}, "3\n")


@settings(max_examples=5, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_arrays_come_back_as_lists(values):
    assert run_python("r = np.array(x) * 2", {"x": values}, "r").value == [2 * one for one in values]


@pytest.mark.parametrize(
    "code",
    [
        "r = open('/etc/passwd').read()",
        "r = open('/tmp/left-behind', 'w').write('x')",
        "import os\nr = os.listdir('/')",
        "import socket\nr = socket.create_connection(('127.0.0.1', 80))",
        "import subprocess\nr = subprocess.check_output(['id'])",
        "import os\nr = os.fork()",
        "import os\nr = os.open('/proc/self/environ', 0)",
        "import numpy\nr = numpy.fromfile('/etc/hostname', 'u1').tolist()",
        "import ctypes\nr = ctypes.CDLL(None).open(b'/etc/passwd', 0)\nassert r >= 0",
    ],
)
def test_code_opens_nothing(code):
    with pytest.raises(ComputationFailed):
        run_python(code, {}, "r")


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("r = np.percentile([1, 2, 3], 50)", 2.0),
        ("r = np.ma.array([1, 2], mask=[0, 1]).mean()", 1.0),
        ("r = np.fft.fft([1, 2]).real", [3.0, -1.0]),
        ("import csv, io\nr = list(csv.reader(io.StringIO('a,b')))", [["a", "b"]]),
        ("import heapq, calendar, bisect, cmath\nr = heapq.nlargest(1, [1, 2])", [2]),
        (
            "from datetime import datetime\nr = datetime.strptime('2024-05-01', '%Y-%m-%d').date()",
            "2024-05-01",
        ),
        ("r = np.array(['2024-05-01'], dtype='datetime64[D]')", ["2024-05-01"]),
        ("from decimal import Decimal\nr = [Decimal('1.5')]", [1.5]),
        ("from fractions import Fraction\nr = {'a': Fraction(1, 4)}", {"a": 0.25}),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\nr = A(1).x", 1),
        ("if __name__ == '__main__':\n    r = 1", 1),
    ],
)
def test_code_has_what_computations_use(code, value):
    assert run_python(code, {}, "r").value == value


REACHING = {  # system calls of x86-64, with arguments that would do where they are allowed
    "x32 open": (0x4000_0002, b"/etc/passwd", 0, 0),
    "openat2": (437, -100, b"/etc/passwd", b"\0" * 24, 24),
    "memfd_create": (319, b"x", 0),
    "io_uring_setup": (425, 4, b"\0" * 200),
    "ptrace": (101, 0, 0, 0, 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "pidfd_open": (434, 1, 0),
    "shmget": (29, 4242, 4096, 0o1666),
    "msgget": (68, 4242, 0o1666),
    "add_key": (248, b"user", b"a", b"b", 1, -3),
    "vfork": (58,),
    "unshare": (272, 0x1000_0000),
    "bpf": (321, 0, b"\0" * 88, 88),
    "perf_event_open": (298, b"\0" * 128, 0, -1, -1, 0),
    "truncate": (76, b"/tmp/left-behind", 0),
    "setpriority": (141, 0, 1, 5),
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls are those of x86-64")
def test_no_system_call_reaches_files_other_processes_or_shared_memory():
    code = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nr = []\n"
    for name, (number, *arguments) in REACHING.items():
        code += f"done = libc.syscall(ctypes.c_long({number}), *{arguments!r})\n"
        code += f"if done != -1 or ctypes.get_errno() != 1: r.append({name!r})\n"
    assert run_python(code, {}, "r").value == []


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.kill(os.getppid(), 9)",
        "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (5, 5))",
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
    ],
)
def test_code_reaches_neither_its_parent_nor_its_limits(code):
    with pytest.raises(ComputationFailed):
        run_python(code + "\nr = 1", {}, "r", replace(SHORT, wall_seconds=3.0))


def test_code_sees_no_environment_and_nothing_of_the_code_before():
    assert run_python("import os, builtins\nbuiltins.left = 1\nr = dict(os.environ)", {}, "r").value == {}
    with pytest.raises(ComputationFailed, match="left"):
        run_python("r = left", {}, "r")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("while True: pass", "more than 1 s"),
        ("r = [0] * 10**10", "more memory"),
        ("import os\nos._exit(0)", "without a result"),
        ("import sys\nsys.exit(3)", "SystemExit: 3"),
        ("r = 1 / 0", r"ZeroDivisionError: division by zero \(line 1\)"),
        ("x = 1", "no variable r"),
        ("r = float('nan')", "not JSON compliant"),
        ("r = object()", "not JSON serializable"),
        ("r = 'x' * 2_000_000", "without a result"),
        ("r = (", "SyntaxError"),
    ],
)
def test_what_gives_no_result_says_why(code, words):
    with pytest.raises(ComputationFailed, match=words):
        run_python(code, {}, "r", SHORT)


@pytest.mark.parametrize(
    "answer",
    [b"[1, 2]", b"{}", b'{"value": 1}', b"7", b"not JSON", b"[" * 100_000],
)
def test_an_answer_that_code_forges_is_refused_when_it_is_none(answer):
    code = (
        "import os\nsent = len(x).to_bytes(4, 'big') + x.encode()\nfor pipe in range(3, 20):\n"
        "    try: os.write(pipe, sent)\n    except OSError: pass\nr = 1"
    )
    with pytest.raises(ComputationFailed, match="without a result"):
        run_python(code, {"x": answer.decode()}, "r", SHORT)


def test_texts_come_back_without_what_no_row_can_store():
    found = run_python(r"print('a\0\ud800b')" + "\n" + r"r = ['c\0\udfffd']", {}, "r")
    assert (found.value, found.printed) == (["cd"], "ab\n")


def test_without_the_sandbox_nothing_is_run(monkeypatch):
    asked = []

    class Bare(SandboxWorker):
        def _wait_until_ready(self):
            super()._wait_until_ready()
            return SandboxLayer.LIMITS

        def ask(self, *args):
            asked.append(args)
            return super().ask(*args)

    monkeypatch.setattr(sandboxed_python, "SandboxWorker", Bare)
    with pytest.raises(NoSandbox):
        run_python("r = 1", {}, "r")
    assert asked == []
