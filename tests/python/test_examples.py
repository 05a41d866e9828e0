"""The agent of sixty lines, with a model that plays a script on loopback."""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest

STEPS = ({"run": "git push --force"}, {"run": "echo built"}, {"say": "Built."})


class Model(http.server.BaseHTTPRequestHandler):
    requests: list = []

    def do_POST(self):
        messages = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"]
        self.requests.append(messages)
        step = STEPS[sum(message["role"] == "assistant" for message in messages)]
        message = {"role": "assistant", "content": step.get("say")}
        if "run" in step:
            function = {"name": "Bash", "arguments": json.dumps({"command": step["run"]})}
            message["tool_calls"] = [{"id": str(len(messages)), "type": "function", "function": function}]
        body = json.dumps({"choices": [{"message": message}]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Agent(unittest.TestCase):
    def test_it_is_guarded(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        program = os.path.join(os.environ["GRAPNEL_EXAMPLES"], "agents", "agent.py")
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(
                [sys.executable, program, f"http://127.0.0.1:{server.server_port}/v1", "Build it"],
                cwd=directory, capture_output=True, text=True, timeout=120,
            )
        self.assertEqual((done.stdout, done.stderr), ("Built.\n", ""))
        results = [message["content"] for message in Model.requests[-1] if message["role"] == "tool"]
        self.assertEqual(results, ["Refused: Force pushes need a human.", "built\n"])


if __name__ == "__main__":
    unittest.main()
