package dev.agentmemory.bench.hook;

import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.gateway.mcp.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What Claude Code passes to a hook.
///
/// @param event its name
/// @param payload one JSON object
record HookPost(String event, String payload) {

  static final String PROMPT = "UserPromptSubmit";
  static final String START = "SessionStart";
  static final String TOOL = "PostToolUse";
  static final String STOP = "Stop";

  /// Turns of a session.
  private static final int TURNS = 3;

  /// Messages of a session: its start, and of each turn a prompt, a tool call and the answer.
  static final int IN_SESSION = 1 + 3 * TURNS;

  /// The path of what it is posted to.
  String path() {
    return "/hooks/claude-code/" + event;
  }

  byte[] bytes() {
    return payload.getBytes(StandardCharsets.UTF_8);
  }

  /// A prompt of a session.
  static HookPost prompt(String session, String id, String text, Path project) {
    return post(PROMPT, session, project, Map.of("prompt_id", id, "prompt", text));
  }

  /// All messages of a session that nobody ends. Each becomes one event.
  ///
  /// @param name of the session
  /// @param talk number of the session of [Talk] that its texts are from
  static List<HookPost> session(String name, int talk, Path project) {
    List<String> texts = Talk.session(talk).stream().map(event -> event.text()).toList();
    List<HookPost> posts = new ArrayList<>();
    posts.add(post(START, name, project, Map.of("source", "startup")));
    for (int i = 0; i < TURNS; i++) {
      String id = name + "-" + i;
      posts.add(prompt(name, id, texts.get(3 * i), project));
      posts.add(
          post(
              TOOL,
              name,
              project,
              Map.of(
                  "prompt_id",
                  id,
                  "tool_name",
                  "Bash",
                  "tool_input",
                  Json.object("command", "make " + id),
                  "tool_response",
                  Json.object("stdout", texts.get(3 * i + 1), "stderr", ""),
                  "tool_use_id",
                  "toolu_" + id)));
      posts.add(
          post(
              STOP,
              name,
              project,
              Map.of("prompt_id", id, "last_assistant_message", texts.get(3 * i + 2))));
    }
    return posts;
  }

  private static HookPost post(
      String event, String session, Path project, Map<String, Object> fields) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("session_id", session);
    all.put("transcript_path", "");
    all.put("cwd", project.toString());
    all.put("hook_event_name", event);
    all.putAll(fields);
    return new HookPost(event, Json.write(all));
  }
}
