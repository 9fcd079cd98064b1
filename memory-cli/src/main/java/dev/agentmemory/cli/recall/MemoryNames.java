package dev.agentmemory.cli.recall;

import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Parses the names and ids that options and arguments give.
final class MemoryNames {

  /// Fields whose option has another name.
  private static final Map<String, String> OPTIONS =
      Map.of(
          "content",
          "TEXT",
          "query",
          "QUERY",
          "tags",
          "--tag",
          "references",
          "--reference",
          "evidence_events",
          "--event",
          "evidence_grips",
          "--grip",
          "budget_tokens",
          "--budget",
          "custom",
          "--preference");

  private static final String CITATION = "mem:";

  private MemoryNames() {}

  static Optional<SessionId> session(String option, Optional<String> text) {
    return text.map(id -> SessionId.parseStored(option, id));
  }

  static Optional<ChannelName> channel(String option, Optional<String> text) {
    return text.map(name -> ChannelName.parse(option, name));
  }

  static Set<Tag> tags(String option, Collection<String> texts) {
    return texts.stream()
        .map(text -> Tag.parse(option, text))
        .collect(Collectors.toUnmodifiableSet());
  }

  static List<MemoryId> ids(String option, Collection<String> texts) {
    return texts.stream().map(text -> id(option, text)).distinct().toList();
  }

  /// The id of a memory, also as citations have it: `mem:01...`.
  static MemoryId id(String option, String text) {
    String id = text.strip();
    return MemoryId.parse(option, id.startsWith(CITATION) ? id.substring(CITATION.length()) : id);
  }

  /// Builds a value from options. A value that refuses a field names it as itself does; here it
  /// gets the name of the option.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the option
  static <T> T fromOptions(Supplier<T> value) {
    try {
      return value.get();
    } catch (MemoryException e) {
      String field = e.field().orElseThrow(() -> e);
      if (field.startsWith("--") || Character.isUpperCase(field.charAt(0))) {
        throw e;
      }
      String last = field.substring(field.lastIndexOf('.') + 1);
      throw MemoryException.invalid(
          OPTIONS.getOrDefault(last, "--" + last.replace('_', '-')),
          String.valueOf(e.getMessage()).substring(field.length() + 2));
    }
  }

  /// Makes a call for a conversation that is named by its session id or its ref code. An id can
  /// look like a code, so the id is tried first.
  ///
  /// @throws MemoryException `INVALID_FIELD` when the text is neither
  static <T> T conversation(String text, Function<ConversationRef, T> call) {
    ConversationRef session = ConversationRef.of(SessionId.parseStored("CONVERSATION", text));
    Optional<RefCode> code = RefCode.of(text);
    if (code.isEmpty()) {
      return call.apply(session);
    }
    try {
      return call.apply(session);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.NOT_FOUND);
      return call.apply(ConversationRef.of(code.get()));
    }
  }
}
