# A worker that does to its engine whatever a request asks for.
import json, os, subprocess, sys, threading, time


def say(id, **answer):
    sys.stdout.write(json.dumps({"id": id, "pid": os.getpid(), **answer}) + "\n")
    sys.stdout.flush()


def wait_for(file, id, n):
    if os.path.exists(file):
        say(id, n=n)
    else:
        timer = threading.Timer(0.005, wait_for, (file, id, n))
        timer.daemon = True
        timer.start()


def do(id, event):
    what = event.get("do")
    if what == "kill":
        os.kill(os.getpid(), 9)
    elif what == "exit":
        os._exit(event["code"])
    elif what == "answer and exit":
        say(id)
        os._exit(event["code"])
    elif what == "hang":
        time.sleep(600)
    elif what == "when":
        wait_for(event["file"], id, event["n"])
    elif what == "later":
        threading.Timer(event["after"], say, (id,), {"n": event["n"]}).start()
    elif what == "errors":
        sys.stderr.write("x" * event["bytes"] + "end")
        sys.stderr.flush()
        say(id)
    elif what == "garbage":
        print('hello\n\n{broken\n[1]\n{"id":"nobody"}\n{"id":99999}')
        say(id)
    elif what == "no id":
        print('{"decision":"deny"}', flush=True)
    elif what == "print":
        print(event["line"].replace("7", id), flush=True)
    elif what == "number":
        say(int(id))
    elif what == "huge":
        say(id, text="x" * event["bytes"])
    elif what == "huge garbage":
        print("x" * event["bytes"], flush=True)
    elif what == "close input":
        os.close(0)
        say(id)
        time.sleep(600)
    elif what == "close output":
        os.close(1)
        time.sleep(600)
    elif what == "helper":
        subprocess.Popen(["sleep", "600"])
        say(id)
    else:
        say(id, n=event.get("n"))


for line in sys.stdin:
    request = json.loads(line)
    do(request["id"], request["event"])
