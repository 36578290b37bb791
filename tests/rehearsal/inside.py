"""Run in a container: start its command, wait until it is healthy, and stop it."""

import json
import subprocess
import sys
import time

command, health, number = map(json.loads, sys.argv[1:])
user = {"user": number, "group": number, "extra_groups": []}
began = time.monotonic()
with subprocess.Popen(command, **user) as process:
    while subprocess.run(health, check=False, capture_output=True, **user).returncode:
        assert process.poll() is None, "the service has exited"
        assert time.monotonic() - began < 600, "the service did not become healthy"
        time.sleep(0.2)
    ready = time.monotonic() - began
    process.terminate()
    code = process.wait(45)
assert code == 0, code
stopped = time.monotonic() - began - ready
print(f"healthy after {ready:.1f} s, stopped {stopped:.1f} s after SIGTERM")  # noqa: T201
