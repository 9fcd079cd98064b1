package dev.agentmemory.recall.exchange;

/// Names of fields of lines, and values of the field `record`.
final class LineForm {

  static final String RECORD = "record";
  static final String VERSION = "schema_version";
  static final String WORKSPACE = "workspace";
  static final String ACCOUNT = "account";
  static final String REDACTED = "redacted";
  static final String CHECKSUM = "checksum";
  static final String LAST_ACCESS = "last_access_ms";
  static final String ACCESS_COUNT = "access_count";

  static final String MEMORY = "memory";
  static final String STATE = "state";
  static final String MERGE = "merge";
  static final String TOMBSTONE = "tombstone";
  static final String CHANNEL = "channel";
  static final String CONVERSATION = "conversation";
  static final String SCRATCHPAD = "scratchpad";
  static final String UNREADABLE = "unreadable";

  private LineForm() {}
}
