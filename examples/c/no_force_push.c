/* A hook that is a function of a C program. Build it with: cc no_force_push.c $(pkg-config --cflags --libs grapnel-c) */
#include <stdio.h>
#include <string.h>

#include "grapnel.h"

/* Is asked before each shell command. What it returns stands for every agent whose events are fired here. */
static int no_force_push(void *user, grapnel_call *call, const char *event, size_t length) {
  static const char kDeny[] = "{\"verdict\": \"deny\", \"reason\": \"Force pushes need a human.\"}";
  (void)user, (void)length;
  if (strstr(event, "push --force") != NULL) grapnel_answer(call, kDeny, strlen(kDeny));
  return GRAPNEL_DONE; /* without an answer: no opinion */
}

int main(void) {
  char *error = NULL;
  grapnel_engine *engine = grapnel_open("{\"use_hook_files\": false}", &error);
  if (engine == NULL || !grapnel_register(engine, "{\"name\": \"no-force-push\", \"events\": [\"PreToolUse\"]}",
                                          no_force_push, NULL, NULL, &error)) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  static const char *const kCalls[] = {
      "{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git push\"}}",
      "{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git push --force\"}}",
  };
  for (size_t i = 0; i < 2; ++i) {
    char *decision = grapnel_fire(engine, NULL, "PreToolUse", kCalls[i], strlen(kCalls[i]), &error);
    if (decision == NULL) {
      fprintf(stderr, "%s\n", error);
      return 1;
    }
    puts(strstr(decision, "\"verdict\":\"deny\"") != NULL ? "denied" : "runs");
    grapnel_free(decision);
  }
  grapnel_close(engine);
  return 0;
}
