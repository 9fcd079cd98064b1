package dev.agentmemory.agents.event;

/// Keys of the metadata of events that come from coding agents. Other fields of a payload are kept
/// under their own names, cut and bounded in number.
public final class AgentMetadata {

  /// By whom or what a prompt or a text of the system was made; one of [Origin#word]. Absent: an
  /// assistant or a tool.
  public static final String ORIGIN = "origin";

  /// The name of a tool, as the agent says it.
  public static final String TOOL = "tool";

  /// What a tool was called with, as JSON; cut to [#MOST_VALUE_BYTES].
  public static final String TOOL_INPUT = "tool_input";

  /// The agent's id of a tool call.
  public static final String TOOL_USE = "tool_use_id";

  /// `true` when a tool failed.
  public static final String FAILED = "failed";

  /// The agent's id of the turn: a prompt's id, a turn's id or a message's id.
  public static final String TURN = "turn_id";

  /// The working directory of the agent.
  public static final String DIRECTORY = "cwd";

  /// The session that a session was started from: by a fork, or as a subagent.
  public static final String PARENT = "parent_session";

  /// The session of a subagent, in events of its parent.
  public static final String CHILD = "child_session";

  /// Why a session started or ended, such as `startup`, `resume` or `clear`.
  public static final String REASON = "reason";

  /// `compaction` for the summary that replaces a conversation.
  public static final String KIND = "kind";

  /// Bytes of UTF-8 that a text had before its middle was left out.
  public static final String TEXT_BYTES = "text_bytes";

  /// SHA-256 of the text before its middle was left out, in hex.
  public static final String TEXT_HASH = "text_sha256";

  /// Longest value that is kept, in bytes of UTF-8.
  public static final int MOST_VALUE_BYTES = 8000;

  private AgentMetadata() {}
}
