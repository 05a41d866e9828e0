#pragma once

#include <cstdint>

/// The tables of `journal.db`.
///
///   files       how far each file was read
///   names       events, agents, projects, directories, tools, hooks and digests, as small numbers
///   sessions    a number for each session of each agent
///   records     one row for each record, with the place of its line: the text stays in the file; `subagent` is the
///               name of its id, or 0 for the main agent
///   subjects    what records are about
///   text_blocks what can occur in which subjects (text_blocks.h)
///   runs        one row for each hook of a record
///   hours       roll-up: events of an hour that have much in common, and the numbers of the first and the last of them
///   hour_sums   roll-up: all events of an hour, for questions without a filter
///   hook_hours  roll-up: what a hook did in an hour
///   kinds       roll-up: events of a kind under one configuration
///   session_files, subagents   roll-up: what happened in a session
///
/// Every roll-up has the file as a part of its key. So when a file is removed, its share of every count is removed by
/// deleting rows, and counts never differ from the records.
///
/// `hours` and `hook_hours` are also the indexes of `records`: they tell in which ranges of numbers records with some
/// property are (record_scan.h). Numbers are never reused.
namespace grapnel {

/// Tables of another version are dropped: all that is in them will be read again from the files. So raise the version
/// whenever this text changes, and never add columns to existing tables.
inline constexpr int64_t kSchemaVersion = 5;
inline constexpr const char* kSchema = R"(
  DROP TABLE IF EXISTS files;
  DROP TABLE IF EXISTS records;
  DROP TABLE IF EXISTS runs;
  DROP TABLE IF EXISTS numbers;
  DROP TABLE IF EXISTS names;
  DROP TABLE IF EXISTS sessions;
  DROP TABLE IF EXISTS subjects;
  DROP TABLE IF EXISTS text_blocks;
  DROP TABLE IF EXISTS hours;
  DROP TABLE IF EXISTS hour_sums;
  DROP TABLE IF EXISTS hook_hours;
  DROP TABLE IF EXISTS kinds;
  DROP TABLE IF EXISTS session_files;
  DROP TABLE IF EXISTS subagents;
  CREATE TABLE files(number INTEGER PRIMARY KEY AUTOINCREMENT, inode INTEGER UNIQUE, offset INTEGER, opening TEXT,
    records INTEGER, bad INTEGER, lost INTEGER, lost_since INTEGER);
  CREATE TABLE numbers(next INTEGER);
  INSERT INTO numbers VALUES(1);
  CREATE TABLE names(number INTEGER PRIMARY KEY, text TEXT UNIQUE);
  CREATE TABLE sessions(number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, agent INTEGER, UNIQUE(id, agent));
  CREATE TABLE records(number INTEGER PRIMARY KEY, file INTEGER, offset INTEGER, length INTEGER, id INTEGER,
    time INTEGER, event INTEGER, agent INTEGER, session INTEGER, project INTEGER, cwd INTEGER, tool INTEGER,
    call INTEGER, call_start INTEGER, verdict INTEGER, would INTEGER, flags INTEGER, answer INTEGER, registry INTEGER,
    subagent INTEGER);
  CREATE INDEX records_id ON records(id);
  CREATE INDEX records_session ON records(session, time);
  CREATE TABLE subjects(record INTEGER PRIMARY KEY, text TEXT, rewritten TEXT);
  CREATE TABLE text_blocks(block INTEGER PRIMARY KEY, bits BLOB);
  CREATE TABLE runs(record INTEGER, position INTEGER, hook INTEGER, fate INTEGER, verdict INTEGER, would INTEGER,
    us INTEGER, PRIMARY KEY(record, position)) WITHOUT ROWID;
  CREATE TABLE hours(hour INTEGER, file INTEGER, agent INTEGER, project INTEGER, event INTEGER, tool INTEGER,
    verdict INTEGER, would INTEGER, events INTEGER, failed INTEGER, rewrites INTEGER, injects INTEGER,
    fail_open INTEGER, degraded INTEGER, lost INTEGER, low INTEGER, high INTEGER,
    PRIMARY KEY(hour, file, agent, project, event, tool, verdict, would)) WITHOUT ROWID;
  CREATE TABLE hour_sums(hour INTEGER, file INTEGER, events INTEGER, rewrites INTEGER, injects INTEGER,
    fail_open INTEGER, degraded INTEGER, lost INTEGER, PRIMARY KEY(hour, file)) WITHOUT ROWID;
  CREATE TABLE hook_hours(hour INTEGER, file INTEGER, hook INTEGER, runs INTEGER, failures INTEGER, denials INTEGER,
    asks INTEGER, would_deny INTEGER, would_ask INTEGER, skipped INTEGER, detached INTEGER, total INTEGER, max INTEGER, last INTEGER,
    low INTEGER, high INTEGER, times BLOB, PRIMARY KEY(hour, file, hook)) WITHOUT ROWID;
  CREATE TABLE kinds(file INTEGER, registry INTEGER, event INTEGER, events INTEGER, high INTEGER,
    PRIMARY KEY(file, registry, event)) WITHOUT ROWID;
  CREATE TABLE session_files(session INTEGER, file INTEGER, project INTEGER, first INTEGER, last INTEGER,
    events INTEGER, deny INTEGER, ask INTEGER, failed INTEGER, turns INTEGER,
    PRIMARY KEY(session, file)) WITHOUT ROWID;
  CREATE TABLE subagents(session INTEGER, file INTEGER, id TEXT, type TEXT, parent TEXT, events INTEGER,
    PRIMARY KEY(session, file, id)) WITHOUT ROWID;
  PRAGMA user_version = 5;
)";

/// The bits of `records.flags`.
enum RecordFlag : uint8_t {
  kAsked = 1,  ///< a person was asked about the call
  kBackground = 2,
  kHookFailed = 4,
  kRewritten = 8,
  kInjected = 16,
  kDegraded = 32,
  kFailOpen = 64,
};

/// The values of `records.answer` (open_calls.h).
enum class StoredAnswer : uint8_t { None, Approved, NotRun };

/// `records.would`, `runs.would` and `hours.would`: 0 if no hook observed anything, else the verdict and 1.
inline constexpr int64_t kWouldNothing = 0;

inline constexpr int64_t kHourMs = 3600 * 1000;

}  // namespace grapnel
