package dev.agentmemory.cli.export;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.types.SessionId;

/// What is exported.
sealed interface Selection {

  /// The whole workspace.
  record Everything() implements Selection {}

  record OfSession(SessionId session) implements Selection {}

  /// The events that name an agent, and those that name none in a session of that agent.
  record OfAgent(String agent) implements Selection {}

  /// The conversations with a person.
  record OfUser(String user) implements Selection {}

  /// The memories with a tag or one below it, and their evidence.
  record OfTopic(Tag topic) implements Selection {}

  record OfTime(Range.Bounds bounds) implements Selection {}

  /// Whether it is given by a name, which may be misspelt.
  default boolean isNamed() {
    return switch (this) {
      case OfSession _, OfAgent _, OfUser _, OfTopic _ -> true;
      case Everything _, OfTime _ -> false;
    };
  }

  /// Whether it consists of whole sessions that are known before events are read.
  default boolean isOfKnownSessions() {
    return switch (this) {
      case OfSession _, OfUser _ -> true;
      case Everything _, OfAgent _, OfTopic _, OfTime _ -> false;
    };
  }

  /// The selection in words, for errors.
  default String words() {
    return switch (this) {
      case Everything _ -> "the workspace";
      case OfSession(SessionId session) -> "session " + session;
      case OfAgent(String agent) -> "agent " + agent;
      case OfUser(String user) -> "person " + user;
      case OfTopic(Tag topic) -> "topic " + topic;
      case OfTime(Range.Bounds bounds) -> bounds.from() + " to " + bounds.to();
    };
  }

  /// Writes its fields.
  default void write(JsonWriter json) {
    switch (this) {
      case Everything _ -> json.text("kind", "workspace");
      case OfSession(SessionId session) -> named(json, "session", session.value());
      case OfAgent(String agent) -> named(json, "agent", agent);
      case OfUser(String user) -> named(json, "user", user);
      case OfTopic(Tag topic) -> named(json, "topic", topic.value());
      case OfTime(Range.Bounds bounds) ->
          json.text("kind", "time").time("since_ms", bounds.from()).time("until_ms", bounds.to());
    }
  }

  private static void named(JsonWriter json, String kind, String name) {
    json.text("kind", kind).text(kind, name);
  }
}
