package dev.agentmemory.search.internal.index;

/// Names of the fields of the index.
///
/// | field | of | holds |
/// |---|---|---|
/// | `uid` | all | the event's or node's id; one document each |
/// | `kind` | all | `event`, `segment` or `rollup` |
/// | `owner` | all | the workspace, in a store that workspaces share |
/// | `level` | nodes | level of the table of contents |
/// | `session`, `agent`, `role`, `tag` | events | for filters; `session` also as a column |
/// | `time` | all | epoch ms of the event or of the node's start; point and column |
/// | `end` | nodes | epoch ms of the node's end; point and column |
/// | `words` | events | who speaks, the text, the date in words |
/// | `summary` | nodes | title, prose, bullets, keywords |
/// | `exact` | events | identifiers as they were written |
/// | `vector...` | events | the embedding, in a field named after its model |
/// | `traits` | events | what can be told from the text alone, for ranking |
/// | `speaker` | events | who speaks, lower case |
/// | `spoken` | events | present where there is text, so that it can have an embedding |
/// | `part` | segments | their session |
/// | `text` | events | fingerprint of the text, to detect duplicates |
/// | `version` | nodes | which version it was made from |
public final class Fields {

  public static final String UID = "uid";
  public static final String KIND = "kind";
  public static final String OWNER = "owner";
  public static final String LEVEL = "level";
  public static final String SESSION = "session";
  public static final String AGENT = "agent";
  public static final String ROLE = "role";
  public static final String TAG = "tag";
  public static final String TIME = "time";
  public static final String END = "end";
  public static final String WORDS = "words";
  public static final String SUMMARY = "summary";
  public static final String EXACT = "exact";
  static final String VECTOR = "vector";
  public static final String TRAITS = "traits";
  public static final String VERSION = "version";
  public static final String SPEAKER = "speaker";

  public static final String TEXT = "text";
  public static final String PART = "part";
  public static final String SPOKEN = "spoken";

  private Fields() {}
}
