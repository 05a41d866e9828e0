/* What a host in C may rely on: each function, wrong arguments, threads, late answers, deadlines, cancelling, closing
 * while events are fired, and forking. Each test is a function in the table at the end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grapnel.h"

static int failures = 0;

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);   \
      ++failures;                                                                 \
    }                                                                             \
  } while (0)

#define CHECK_HAS(text, part)                                                                       \
  do {                                                                                              \
    const char *has_text = (text);                                                                  \
    if (has_text == NULL || strstr(has_text, (part)) == NULL) {                                     \
      fprintf(stderr, "%s:%d: no '%s' in: %s\n", __FILE__, __LINE__, (part), has_text ? has_text : "NULL"); \
      ++failures;                                                                                   \
    }                                                                                               \
  } while (0)

static const char kNoFiles[] = "{\"use_hook_files\": false}";
static const char kPush[] = "{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git push --force\"}}";

static grapnel_engine *open_engine(const char *options) {
  char *error = NULL;
  grapnel_engine *engine = grapnel_open(options, &error);
  if (engine == NULL) fprintf(stderr, "open: %s\n", error);
  CHECK(engine != NULL && error == NULL);
  return engine;
}

static char *fire_push(grapnel_engine *engine) {
  char *error = NULL;
  char *decision = grapnel_fire(engine, NULL, "PreToolUse", kPush, strlen(kPush), &error);
  if (decision == NULL) fprintf(stderr, "fire: %s\n", error);
  grapnel_free(error);
  return decision;
}

static void register_hook(grapnel_engine *engine, const char *hook, grapnel_callback callback, void *user) {
  char *error = NULL;
  if (!grapnel_register(engine, hook, callback, user, NULL, &error)) fprintf(stderr, "register: %s\n", error);
  CHECK(error == NULL);
  grapnel_free(error);
}

/* Waits until *flag is true; a test that waits for ever is stopped by ctest. */
static void wait_for(atomic_int *flag) {
  const struct timespec tick = {0, 1000000};
  while (!atomic_load(flag)) nanosleep(&tick, NULL);
}

static void answer_text(grapnel_call *call, const char *text) { grapnel_answer(call, text, strlen(text)); }

static int deny(void *user, grapnel_call *call, const char *event, size_t length) {
  atomic_int *calls = user;
  if (calls != NULL) atomic_fetch_add(calls, 1);
  CHECK(strlen(event) == length);
  CHECK_HAS(event, "git push --force");
  answer_text(call, "{\"verdict\": \"deny\", \"reason\": \"Force pushes need a human.\"}");
  return GRAPNEL_DONE;
}

static int say_nothing(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)user, (void)call, (void)event, (void)length;
  return GRAPNEL_DONE;
}

static void versions(void) {
  CHECK(grapnel_abi_version() == GRAPNEL_ABI_VERSION);
  CHECK(strchr(grapnel_version(), '.') != NULL);
}

static void an_event_that_nobody_wants(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "\"verdict\":\"pass\"");
  CHECK_HAS(decision, "\"origin\":\"no-hook\"");
  grapnel_free(decision);
  grapnel_close(engine);
}

static void a_callback_denies(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  atomic_int calls = 0;
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"], \"tools\": \"Bash\"}", deny, &calls);
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "\"verdict\":\"deny\"");
  CHECK_HAS(decision, "Force pushes need a human.");
  CHECK_HAS(decision, "\"decided_by\":\"no-force\"");
  grapnel_free(decision);
  CHECK(calls == 1);
  char *error = NULL;
  char *hooks = grapnel_hooks(engine, &error);
  CHECK_HAS(hooks, "\"name\":\"no-force\"");
  grapnel_free(hooks);
  char *explained = grapnel_explain(engine, NULL, "PreToolUse", kPush, strlen(kPush), &error);
  CHECK_HAS(explained, "\"runs\":true");
  grapnel_free(explained);
  CHECK(calls == 1);
  CHECK(grapnel_unregister(engine, "no-force") == 1);
  CHECK(grapnel_unregister(engine, "no-force") == 0);
  decision = fire_push(engine);
  CHECK_HAS(decision, "\"verdict\":\"pass\"");
  grapnel_free(decision);
  grapnel_close(engine);
}

/* Each row: what a host passes by mistake, and what it is told. */
static void mistakes_are_told(void) {
  static const struct {
    const char *options;
    const char *error;
  } kOptions[] = {
      {"nonsense", "bad input: the options: "},
      {"[]", "bad input: the options must be a JSON object"},
      {"{\"project_dri\": \".\"}", "did you mean 'project_dir'?"},
      {"{\"project_dir\": 1}", "'project_dir' must be a string"},
      {"{\"reload_interval_ms\": \"1\"}", "'reload_interval_ms' must be a whole number"},
      {"{\"limits\": {\"max_outptu\": 1}}", "'limits' has no member 'max_outptu'"},
      {"{\"limits\": {\"max_output\": -1}}", "'max_output' must be a whole number"},
      {"{\"configs\": [{}]}", "needs either a 'path' or an 'object'"},
      {"{\"configs\": [{\"dialect\": \"klingon\", \"object\": {}}]}", "'klingon', which does not exist"},
      {"{\"env\": {\"A\": 1}}", "'env' must be an object of strings"},
      {"{\"work_dir\": \"/no/such/directory\"}", "not found: 'work_dir' is no directory"},
      {"{\"work_dir\": \".\", \"project_dir\": \".\"}", "give one of them"},
  };
  for (size_t i = 0; i < sizeof kOptions / sizeof *kOptions; ++i) {
    char *error = NULL;
    CHECK(grapnel_open(kOptions[i].options, &error) == NULL);
    CHECK_HAS(error, kOptions[i].error);
    grapnel_free(error);
  }
  grapnel_engine *engine = open_engine(kNoFiles);
  static const struct {
    const char *hook;
    const char *error;
  } kHooks[] = {
      {"{\"events\": [\"Stop\"]}", "bad config: a callback needs a name"},
      {"{\"name\": \"x\"}", "names no event"},
      {"{\"name\": \"x\", \"events\": [\"Stpo\"]}", "'Stpo' is not an event"},
      {"{\"name\": \"x\", \"events\": [\"Stop\"], \"on_failure\": \"maybe\"}", "'open', 'ask' or 'closed'"},
      {"{\"name\": \"x\", \"events\": [\"Stop\"], \"dialect\": \"klingon\"}", "there is no dialect 'klingon'"},
      {"{\"name\": \"x\", \"event\": \"Stop\"}", "did you mean 'events'?"},
  };
  for (size_t i = 0; i < sizeof kHooks / sizeof *kHooks; ++i) {
    char *error = NULL;
    CHECK(grapnel_register(engine, kHooks[i].hook, say_nothing, NULL, NULL, &error) == 0);
    CHECK_HAS(error, kHooks[i].error);
    grapnel_free(error);
  }
  char *error = NULL;
  CHECK(grapnel_register(engine, "{\"name\": \"x\", \"events\": [\"Stop\"]}", NULL, NULL, NULL, &error) == 0);
  CHECK_HAS(error, "has no function");
  grapnel_free(error);
  CHECK(grapnel_fire(engine, NULL, "PreToolUse", "{", 1, &error) == NULL);
  CHECK_HAS(error, "bad input: ");
  grapnel_free(error);
  CHECK(grapnel_fire(engine, "klingon", "PreToolUse", "{}", 2, &error) == NULL);
  CHECK_HAS(error, "bad input: ");
  grapnel_free(error);
  CHECK(grapnel_fire(engine, NULL, "PreTolUse", "{}", 2, NULL) == NULL);
  CHECK(grapnel_enable(engine, "nobody", 0, &error) == 0);
  CHECK_HAS(error, "not found: ");
  grapnel_free(error);
  grapnel_close(engine);
}

/* Each row: the answer of a callback, and what becomes of the event with the policy `closed`. */
static const char *said = NULL;
static int say(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)user, (void)event, (void)length;
  grapnel_answer(call, said, said == NULL ? 0 : strlen(said));
  return GRAPNEL_DONE;
}
static void answers(void) {
  static const struct {
    const char *answer;
    const char *decision;
  } kRows[] = {
      {NULL, "\"verdict\":\"pass\""},
      {"null", "\"verdict\":\"pass\""},
      {"{}", "\"verdict\":\"pass\""},
      {"{\"verdict\": \"allow\"}", "\"verdict\":\"allow\""},
      {"{\"verdict\": \"ask\", \"reason\": \"sure?\"}", "\"reason\":\"sure?\""},
      {"{\"context\": \"read this\"}", "\"text\":\"read this\""},
      {"{\"rewrite\": {\"input_patch\": {\"command\": \"git push\"}}}", "\"input_patch\":{\"command\":\"git push\"}"},
      {"{\"data\": {\"n\": 1}}", "\"data\":[{\"hook\":\"it\",\"data\":{\"n\":1}}]"},
      {"{\"verdict\": \"maybe\"}", "\"origin\":\"fail-closed\""},
      {"{\"nonsense\": 1}", "\"origin\":\"fail-closed\""},
      {"[]", "\"origin\":\"fail-closed\""},
      {"{", "\"origin\":\"fail-closed\""},
  };
  for (size_t i = 0; i < sizeof kRows / sizeof *kRows; ++i) {
    grapnel_engine *engine = open_engine(kNoFiles);
    register_hook(engine, "{\"name\": \"it\", \"events\": [\"PreToolUse\"], \"on_failure\": \"closed\"}", say, NULL);
    said = kRows[i].answer;
    char *decision = fire_push(engine);
    CHECK_HAS(decision, kRows[i].decision);
    grapnel_free(decision);
    grapnel_close(engine);
  }
}

static int in_claude_words(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)user, (void)length;
  CHECK_HAS(event, "\"hook_event_name\":\"PreToolUse\"");
  answer_text(call,
              "{\"hookSpecificOutput\": {\"hookEventName\": \"PreToolUse\", \"permissionDecision\": \"deny\", "
              "\"permissionDecisionReason\": \"no\"}}");
  return GRAPNEL_DONE;
}
static void a_callback_in_an_agents_words(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  register_hook(engine, "{\"name\": \"it\", \"events\": [\"PreToolUse\"], \"dialect\": \"claude\"}", in_claude_words,
                NULL);
  char *error = NULL;
  const char payload[] =
      "{\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"run_shell_command\",\"tool_input\":{\"command\":\"ls\"}}";
  char *decision = grapnel_fire(engine, "gemini", NULL, payload, strlen(payload), &error);
  CHECK_HAS(decision, "\"verdict\":\"deny\"");
  grapnel_free(decision);
  grapnel_close(engine);
}

/* A callback that hands its question to another thread. */
static void *answer_in_thread(void *call) {
  answer_text(call, "{\"verdict\": \"ask\", \"reason\": \"later\"}");
  return NULL;
}
static int later(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)event, (void)length;
  pthread_create(user, NULL, answer_in_thread, call);
  return GRAPNEL_LATER;
}
static void a_callback_answers_later(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  pthread_t thread;
  register_hook(engine, "{\"name\": \"later\", \"events\": [\"PreToolUse\"]}", later, &thread);
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "\"reason\":\"later\"");
  grapnel_free(decision);
  pthread_join(thread, NULL);
  grapnel_close(engine);
}

static int fails(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)user, (void)event, (void)length;
  grapnel_fail(call, "the disk is full");
  return GRAPNEL_DONE;
}
static void a_callback_fails(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  register_hook(engine, "{\"name\": \"it\", \"events\": [\"PreToolUse\"], \"on_failure\": \"ask\"}", fails, NULL);
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "\"origin\":\"fail-ask\"");
  CHECK_HAS(decision, "the disk is full");
  grapnel_free(decision);
  grapnel_close(engine);
}

/* A callback that keeps its question and never answers it in time. */
typedef struct {
  _Atomic(grapnel_call *) call;
  atomic_int has_begun;
  atomic_int is_cancelled;
} Keeper;
static void note_cancel(void *user) { atomic_store(&((Keeper *)user)->is_cancelled, 1); }
static int keep(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)event, (void)length;
  Keeper *keeper = user;
  grapnel_on_cancel(call, note_cancel, keeper);
  atomic_store(&keeper->call, call);
  atomic_store(&keeper->has_begun, 1);
  return GRAPNEL_LATER;
}
static void a_late_answer_is_dropped(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  Keeper keeper = {0};
  register_hook(engine,
                "{\"name\": \"late\", \"events\": [\"PreToolUse\"], \"timeout_ms\": 30, \"on_failure\": \"closed\"}",
                keep, &keeper);
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "\"origin\":\"fail-closed\"");
  CHECK_HAS(decision, "timed out after 30 ms");
  grapnel_free(decision);
  wait_for(&keeper.is_cancelled);
  CHECK(grapnel_is_cancelled(keeper.call) == 1);
  CHECK(grapnel_answer(keeper.call, "{}", 2) == 0);
  grapnel_close(engine);
}

/* A callback that does not even return. */
typedef struct {
  atomic_int may_end;
  atomic_int was_released;
} Sleeper;
static int sleep_on(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)call, (void)event, (void)length;
  wait_for(&((Sleeper *)user)->may_end);
  return GRAPNEL_DONE;
}
static void note_release(void *user) { atomic_store(&((Sleeper *)user)->was_released, 1); }
static void a_callback_that_never_returns(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  static Sleeper sleeper;
  char *error = NULL;
  CHECK(grapnel_register(
      engine, "{\"name\": \"it\", \"events\": [\"PreToolUse\"], \"timeout_ms\": 30, \"on_failure\": \"closed\"}",
      sleep_on, &sleeper, note_release, &error));
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "timed out after 30 ms");
  grapnel_free(decision);
  grapnel_close(engine); /* does not wait for it */
  CHECK(!atomic_load(&sleeper.was_released));
  atomic_store(&sleeper.may_end, 1);
  wait_for(&sleeper.was_released);
}

typedef struct {
  atomic_int is_done;
  char *decision;
  char *error;
} Outcome;
static void note_done(void *user, char *decision, char *error) {
  Outcome *outcome = user;
  outcome->decision = decision;
  outcome->error = error;
  atomic_store(&outcome->is_done, 1);
}
static grapnel_firing *start_push(grapnel_engine *engine, Outcome *outcome) {
  char *error = NULL;
  grapnel_firing *firing =
      grapnel_fire_async(engine, NULL, "PreToolUse", kPush, strlen(kPush), note_done, outcome, &error);
  CHECK(firing != NULL);
  return firing;
}

static void an_event_in_the_background(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"]}", deny, NULL);
  Outcome outcomes[100] = {0};
  for (int i = 0; i < 100; ++i) grapnel_release(start_push(engine, &outcomes[i]));
  for (int i = 0; i < 100; ++i) {
    wait_for(&outcomes[i].is_done);
    CHECK_HAS(outcomes[i].decision, "\"verdict\":\"deny\"");
    CHECK(outcomes[i].error == NULL);
    grapnel_free(outcomes[i].decision);
  }
  char *error = NULL;
  Outcome none = {0};
  CHECK(grapnel_fire_async(engine, NULL, "PreToolUse", "{", 1, note_done, &none, &error) == NULL);
  CHECK_HAS(error, "bad input");
  CHECK(!none.is_done);
  grapnel_free(error);
  grapnel_close(engine);
}

static void an_event_is_given_up(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  Keeper keeper = {0};
  register_hook(engine, "{\"name\": \"it\", \"events\": [\"PreToolUse\"], \"on_failure\": \"closed\"}", keep, &keeper);
  Outcome outcome = {0};
  grapnel_firing *firing = start_push(engine, &outcome);
  wait_for(&keeper.has_begun);
  grapnel_cancel(firing);
  wait_for(&outcome.is_done);
  CHECK_HAS(outcome.decision, "\"origin\":\"engine\"");
  CHECK_HAS(outcome.decision, "\"verdict\":\"pass\"");
  wait_for(&keeper.is_cancelled);
  grapnel_answer(keeper.call, NULL, 0);
  grapnel_free(outcome.decision);
  grapnel_cancel(firing); /* too late, and harmless */
  grapnel_release(firing);
  grapnel_close(engine);
}

/* A command hook that would sleep for an hour is killed when the engine is closed. */
static void closed_while_a_process_runs(void) {
  grapnel_engine *engine = open_engine(
      "{\"use_hook_files\": false, \"configs\": [{\"dialect\": \"claude\", \"object\": {\"hooks\": {\"PreToolUse\": "
      "[{\"hooks\": [{\"type\": \"command\", \"command\": \"sleep 3600\", \"timeout\": 3600}]}]}}}]}");
  Outcome outcome = {0};
  grapnel_release(start_push(engine, &outcome));
  grapnel_close(engine);
  CHECK(outcome.is_done); /* closing has waited for it */
  CHECK_HAS(outcome.decision, "\"origin\":\"engine\"");
  grapnel_free(outcome.decision);
}

/* Threads that fire until they are told that the engine is closed. */
static void *fire_until_closed(void *engine) {
  for (;;) {
    char *error = NULL;
    char *decision = grapnel_fire(engine, NULL, "PreToolUse", kPush, strlen(kPush), &error);
    if (decision == NULL) {
      CHECK_HAS(error, "closed: ");
      grapnel_free(error);
      return NULL;
    }
    grapnel_free(decision);
  }
}
static void closed_while_threads_fire(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  atomic_int calls = 0;
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"]}", deny, &calls);
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, fire_until_closed, engine);
  wait_for(&calls);
  grapnel_close(engine);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  grapnel_close(engine);
  grapnel_close(NULL);
  CHECK(grapnel_reload(engine, NULL) == 0);
  CHECK(grapnel_is_enabled(engine) == 0);
}

static int close_it(void *user, grapnel_call *call, const char *event, size_t length) {
  (void)call, (void)event, (void)length;
  grapnel_close(user);
  return GRAPNEL_DONE;
}
static void closed_by_its_own_callback(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  register_hook(engine, "{\"name\": \"it\", \"events\": [\"PreToolUse\"]}", close_it, engine);
  char *decision = fire_push(engine);
  CHECK(decision != NULL);
  grapnel_free(decision);
  CHECK(grapnel_hooks(engine, NULL) == NULL);
}

static void *fire_many(void *engine) {
  for (int i = 0; i < 200; ++i) {
    char *decision = fire_push(engine);
    CHECK_HAS(decision, "\"verdict\":\"deny\"");
    grapnel_free(decision);
  }
  return NULL;
}
static void many_threads(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  atomic_int calls = 0;
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"]}", deny, &calls);
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, fire_many, engine);
  for (int i = 0; i < 20; ++i) CHECK(grapnel_reload(engine, NULL) == 1);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  CHECK(calls == 1600);
  grapnel_close(engine);
}

/* The child of a fork cannot use the engine of its parent, and is told; it can open one of its own. */
static int in_child(grapnel_engine *engine) {
  char *error = NULL;
  if (grapnel_fire(engine, NULL, "PreToolUse", kPush, strlen(kPush), &error) != NULL) return 1;
  if (strstr(error, "refused: this engine was opened by another process") == NULL) return 2;
  grapnel_free(error);
  grapnel_close(engine);
  grapnel_engine *own = grapnel_open(kNoFiles, NULL);
  if (own == NULL) return 3;
  if (!grapnel_register(own, "{\"name\": \"n\", \"events\": [\"PreToolUse\"]}", deny, NULL, NULL, NULL)) return 4;
  Outcome outcome = {0};
#if defined(__SANITIZE_THREAD__) /* its runtime ends a child that starts a thread after such a fork */
  outcome.decision = fire_push(own);
#else
  grapnel_release(start_push(own, &outcome));
  wait_for(&outcome.is_done);
#endif
  if (strstr(outcome.decision, "\"verdict\":\"deny\"") == NULL) return 5;
  grapnel_free(outcome.decision);
  grapnel_close(own);
  return 0;
}
static void forked_while_threads_fire(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  atomic_int calls = 0;
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"]}", deny, &calls);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, fire_until_closed, engine);
  wait_for(&calls);
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(in_child(engine));
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  char *decision = fire_push(engine);
  CHECK_HAS(decision, "\"verdict\":\"deny\"");
  grapnel_free(decision);
  grapnel_close(engine);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

static void switches(void) {
  grapnel_engine *engine = open_engine(kNoFiles);
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"]}", deny, NULL);
  static const struct {
    const char *name;
    int on;
    const char *decision;
  } kRows[] = {
      {"no-force", 0, "\"verdict\":\"pass\""},
      {"no-force", 1, "\"verdict\":\"deny\""},
      {NULL, 0, "\"origin\":\"engine\""},
      {NULL, 1, "\"verdict\":\"deny\""},
  };
  for (size_t i = 0; i < sizeof kRows / sizeof *kRows; ++i) {
    CHECK(grapnel_enable(engine, kRows[i].name, kRows[i].on, NULL) == 1);
    char *decision = fire_push(engine);
    CHECK_HAS(decision, kRows[i].decision);
    grapnel_free(decision);
    CHECK(grapnel_is_enabled(engine) == (kRows[i].name != NULL || kRows[i].on));
  }
  grapnel_close(engine);
}

static long size_of(const char *directory, const char *name) {
  char path[600];
  struct stat st;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return stat(path, &st) == 0 ? (long)st.st_size : -1;
}
static void the_journal(void) {
  char directory[] = "/tmp/grapnel-abi-XXXXXX";
  CHECK(mkdtemp(directory) != NULL);
  grapnel_engine *engine = open_engine(kNoFiles);
  register_hook(engine, "{\"name\": \"no-force\", \"events\": [\"PreToolUse\"]}", deny, NULL);
  grapnel_free(fire_push(engine));
  CHECK(size_of(directory, "records.jsonl") == -1);
  CHECK(grapnel_journal(engine, 1, directory, NULL) == 1);
  grapnel_free(fire_push(engine));
  const long one = size_of(directory, "records.jsonl");
  CHECK(one > 0);
  CHECK(size_of(directory, "registries") > 0);
  CHECK(grapnel_journal(engine, 0, NULL, NULL) == 1);
  grapnel_free(fire_push(engine));
  CHECK(size_of(directory, "records.jsonl") == one);
  grapnel_close(engine);
  char command[700];
  snprintf(command, sizeof command, "rm -r '%s'", directory);
  CHECK(system(command) == 0);
}

static void hook_files(void) {
  char directory[] = "/tmp/grapnel-abi-XXXXXX";
  CHECK(mkdtemp(directory) != NULL);
  char path[600], options[1200];
  snprintf(path, sizeof path, "%s/rules.yaml", directory);
  snprintf(options, sizeof options,
           "{\"project_dir\": \"%s\", \"use_hook_files\": false, \"reload_interval_ms\": -1, \"configs\": [{\"path\": "
           "\"%s\"}]}",
           directory, path);
  grapnel_engine *engine = open_engine(options);
  char *problems = grapnel_problems(engine, NULL);
  CHECK_HAS(problems, "rules.yaml"); /* it does not exist yet */
  grapnel_free(problems);
  FILE *file = fopen(path, "w");
  fputs("version: 1\nhooks:\n  - name: no-push\n    on: PreToolUse\n    when: {command: 'git push*'}\n    deny: Not now.\n",
        file);
  fclose(file);
  CHECK(grapnel_reload(engine, NULL) == 1);
  char *decision = fire_push(engine);
  problems = grapnel_problems(engine, NULL);
  CHECK_HAS(decision, "Not now.");
  if (decision != NULL && strstr(decision, "Not now.") == NULL) fprintf(stderr, "%s\n", problems);
  grapnel_free(problems);
  grapnel_free(decision);
  grapnel_close(engine);
  char command[700];
  snprintf(command, sizeof command, "rm -r '%s'", directory);
  CHECK(system(command) == 0);
}

static void set_flag(void *user) { atomic_store((atomic_int *)user, 1); }
/* The host may end, or unload what it passed, as soon as the engine is closed. */
static void closing_releases_what_has_answered(void) {
  for (int i = 0; i < 300; ++i) {
    grapnel_engine *engine = open_engine(kNoFiles);
    atomic_int released = 0;
    CHECK(grapnel_register(engine, "{\"name\": \"x\", \"events\": [\"PreToolUse\"], \"timeout_ms\": 600000}", say_nothing,
                           &released, set_flag, NULL) == 1);
    grapnel_free(fire_push(engine));
    CHECK(released == 0);
    grapnel_close(engine);
    CHECK(released == 1);
    if (failures > 0) return;
  }
}

static void tools(void) {
  static const struct {
    const char *dialect;
    const char *tool;
    const char *access;
  } kRows[] = {
      {NULL, "Read", "readonly"},         {NULL, "Write", "write"},   {NULL, "Bash", "execute"},
      {"gemini", "read_file", "readonly"}, {NULL, "mcp__a__b", "mcp"}, {NULL, "unheard_of", "execute"},
      {NULL, NULL, "execute"},
  };
  for (size_t i = 0; i < sizeof kRows / sizeof *kRows; ++i) {
    CHECK(strcmp(grapnel_tool_access(kRows[i].dialect, kRows[i].tool), kRows[i].access) == 0);
  }
}

static void nulls_are_harmless(void) {
  grapnel_free(NULL);
  grapnel_cancel(NULL);
  grapnel_release(NULL);
  grapnel_on_cancel(NULL, note_cancel, NULL);
  CHECK(grapnel_answer(NULL, NULL, 0) == 0);
  CHECK(grapnel_fail(NULL, NULL) == 0);
  CHECK(grapnel_is_cancelled(NULL) == 1);
  CHECK(grapnel_fire(NULL, NULL, NULL, NULL, 0, NULL) == NULL);
  CHECK(grapnel_unregister(NULL, NULL) == 0);
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(void);
  } kTests[] = {
      {"versions", versions},
      {"an event that nobody wants", an_event_that_nobody_wants},
      {"a callback denies", a_callback_denies},
      {"mistakes are told", mistakes_are_told},
      {"answers", answers},
      {"a callback in an agent's words", a_callback_in_an_agents_words},
      {"a callback answers later", a_callback_answers_later},
      {"a callback fails", a_callback_fails},
      {"a late answer is dropped", a_late_answer_is_dropped},
      {"a callback that never returns", a_callback_that_never_returns},
      {"an event in the background", an_event_in_the_background},
      {"an event is given up", an_event_is_given_up},
      {"closed while a process runs", closed_while_a_process_runs},
      {"closed while threads fire", closed_while_threads_fire},
      {"closed by its own callback", closed_by_its_own_callback},
      {"many threads", many_threads},
      {"forked while threads fire", forked_while_threads_fire},
      {"switches", switches},
      {"the journal", the_journal},
      {"hook files", hook_files},
      {"closing releases what has answered", closing_releases_what_has_answered},
      {"tools", tools},
      {"nulls are harmless", nulls_are_harmless},
  };
  const int count = (int)(sizeof kTests / sizeof *kTests);
  int failed = 0;
  for (int i = 0; i < count; ++i) {
    const int before = failures;
    printf("%s\n", kTests[i].name);
    fflush(stdout);
    kTests[i].run();
    if (failures != before) ++failed;
  }
  printf("%d passed, %d failed\n", count - failed, failed);
  return failed == 0 ? 0 : 1;
}
