#ifndef GRAPNEL_H
#define GRAPNEL_H

/* Grapnel for programs that are not written in C++: events go in, decisions come out. docs/c.md has the whole story.
 *
 *   char *error = NULL;
 *   grapnel_engine *engine = grapnel_open("{\"work_dir\": \".\"}", &error);
 *   char *decision = grapnel_fire(engine, NULL, event, payload, strlen(payload), &error);
 *   ...                                     the decision is JSON, as `grapnel fire --json` prints it
 *   grapnel_free(decision);
 *   grapnel_close(engine);
 *
 * Texts are UTF-8 and end with a zero byte. Texts that these functions return belong to the caller, who gives them back
 * with grapnel_free. A function that fails returns NULL or 0 and, unless `error` is NULL, puts a text there: the kind
 * of failure ("bad input", "bad config", "invalid pattern", "limit exceeded", "not found", "refused", "unavailable",
 * "cancelled", "system", "closed", "internal"), a colon, and a sentence for people.
 *
 * Every function may be called from any thread. An engine that was closed, or that was opened before a fork by another
 * process, is recognised: the function fails with "closed" or "refused". */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when functions are added. Functions are never changed or removed under the same soname. */
#define GRAPNEL_ABI_VERSION 1

#if defined(__GNUC__)
#define GRAPNEL_API __attribute__((visibility("default")))
#else
#define GRAPNEL_API
#endif

typedef struct grapnel_engine grapnel_engine; /* an open engine */
typedef struct grapnel_firing grapnel_firing; /* an event that was fired with grapnel_fire_async */
typedef struct grapnel_call grapnel_call;     /* a question to a callback that has not been answered yet */

/* The GRAPNEL_ABI_VERSION of the library that was loaded, and the version of Grapnel, such as "0.1.0". */
GRAPNEL_API uint32_t grapnel_abi_version(void);
GRAPNEL_API const char* grapnel_version(void);

/* Creates an engine and reads the hook files. `options` is a JSON object, or NULL for none; docs/c.md lists its
 * members. Mistakes in hook files do not make it fail: grapnel_problems lists them. */
GRAPNEL_API grapnel_engine* grapnel_open(const char* options, char** error);

/* Ends the engine: events that are being decided are cancelled, and their answers are waited for. Called from within a
 * callback it does not wait. Does nothing for NULL and for an engine that is closed. */
GRAPNEL_API void grapnel_close(grapnel_engine* engine);

/* Gives back a text. Does nothing for NULL. */
GRAPNEL_API void grapnel_free(char* text);

/* Runs the hooks of an event and returns the decision as JSON; blocks until they have answered.
 * `dialect`: the agent whose words the payload uses, such as "claude"; NULL for Grapnel's own (docs/dialects).
 * `event`: the name of the event; NULL if the payload names it itself. */
GRAPNEL_API char* grapnel_fire(grapnel_engine* engine, const char* dialect, const char* event, const char* payload,
                               size_t length, char** error);

/* Is called once for each event of grapnel_fire_async, in a thread of the engine. The decision and the error belong to
 * the receiver (grapnel_free); one of them is NULL. Must not throw. */
typedef void (*grapnel_done)(void* user, char* decision, char* error);

/* The same in a thread of the engine; 64 events at once, further ones wait. If it succeeds, `done` is called exactly
 * once, and the result is given back with grapnel_release. */
GRAPNEL_API grapnel_firing* grapnel_fire_async(grapnel_engine* engine, const char* dialect, const char* event,
                                               const char* payload, size_t length, grapnel_done done, void* user,
                                               char** error);
/* Gives up an event: its processes are killed, and the decision is neutral with the origin "engine". */
GRAPNEL_API void grapnel_cancel(grapnel_firing* firing);
/* Gives the handle back; the event goes on. Does nothing for NULL. */
GRAPNEL_API void grapnel_release(grapnel_firing* firing);

/* What a callback returns: it has answered (or has no opinion), or it will answer later. */
enum { GRAPNEL_DONE = 0, GRAPNEL_LATER = 1 };

/* A function of the host that is a hook. It is given the event as JSON, and answers with grapnel_answer or
 * grapnel_fail: at once, or, if it returns GRAPNEL_LATER, later and from any thread. The text of the event is valid
 * until the callback returns. In C++ it may throw; the hook has then failed.
 *
 * With a timeout it is called in a thread of its own and left behind when the time is over. Without one it is called in
 * the thread that fires the event, and the event waits. */
typedef int (*grapnel_callback)(void* user, grapnel_call* call, const char* event, size_t length);

/* Registers a callback. `hook` is a JSON object: "name", "events", and optionally "tools", "timeout_ms", "priority",
 * "on_failure", "last_in_first", "dialect" (docs/c.md). `release` may be NULL; it is called with `user` when the
 * callback will not be called again. If the registration fails, it is called at once. */
GRAPNEL_API int grapnel_register(grapnel_engine* engine, const char* hook, grapnel_callback callback, void* user,
                                 void (*release)(void* user), char** error);
/* Removes a callback. 0 if there is none of that name. */
GRAPNEL_API int grapnel_unregister(grapnel_engine* engine, const char* name);

/* Answers with a JSON object such as {"verdict": "deny", "reason": "..."}; NULL means no opinion. The call is over and
 * must not be used again. 0 if nobody waits for the answer any more. */
GRAPNEL_API int grapnel_answer(grapnel_call* call, const char* answer, size_t length);
/* Says that the callback failed. What follows is what "on_failure" says. */
GRAPNEL_API int grapnel_fail(grapnel_call* call, const char* message);
/* Whether nobody waits for the answer any more: time is over, or the event was given up. */
GRAPNEL_API int grapnel_is_cancelled(const grapnel_call* call);
/* Calls `notify` once when that happens, perhaps at once; in any thread, and never after the call was answered. */
GRAPNEL_API void grapnel_on_cancel(grapnel_call* call, void (*notify)(void* user), void* user);

/* Which hooks would run for an event, which would not, and why, as JSON. Runs nothing. */
GRAPNEL_API char* grapnel_explain(grapnel_engine* engine, const char* dialect, const char* event, const char* payload,
                                  size_t length, char** error);
/* All configured hooks, and the mistakes in hook files, as JSON arrays. */
GRAPNEL_API char* grapnel_hooks(grapnel_engine* engine, char** error);
GRAPNEL_API char* grapnel_problems(grapnel_engine* engine, char** error);

/* Reads all hook files again. */
GRAPNEL_API int grapnel_reload(grapnel_engine* engine, char** error);
/* Switches hooks off or on for the life of the engine: those of that name (0 if there are none), or all (NULL). */
GRAPNEL_API int grapnel_enable(grapnel_engine* engine, const char* name, int enabled, char** error);
/* Whether hooks are switched on at all. */
GRAPNEL_API int grapnel_is_enabled(grapnel_engine* engine);
/* Starts to write the records that `grapnel why` and `grapnel log` read, or stops. `directory` NULL is the place where
 * the command keeps them. */
GRAPNEL_API int grapnel_journal(grapnel_engine* engine, int on, const char* directory, char** error);

/* What a tool can do to the machine: "readonly", "write", "execute" or "mcp". Never NULL; not to be freed. */
GRAPNEL_API const char* grapnel_tool_access(const char* dialect, const char* tool);

#ifdef __cplusplus
}
#endif

#endif
