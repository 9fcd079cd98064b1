package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionPreferences;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Replaces what people and agents wrote by kind, length and a keyed hash, for exports that are
/// given away. Names of channels, keys of scratchpads and ids stay, since they connect the lines of
/// an export.
public final class Redaction {

  private final UnaryOperator<String> hash;

  /// @param hash keyed, of ASCII letters and digits
  public Redaction(UnaryOperator<String> hash) {
    this.hash = hash;
  }

  /// What stands in place of a text: `[redacted:<kind>:<characters>:<hash>]`. An empty text stays.
  public String text(String kind, String original) {
    return original.isEmpty()
        ? original
        : "[redacted:%s:%d:%s]".formatted(kind, original.length(), hash.apply(original));
  }

  public Channel channel(Channel original) {
    return new Channel(
        original.name(),
        text("description", original.description()),
        original.isDefault(),
        original.created(),
        original.workspace());
  }

  /// The value of the result is a JSON string.
  public ScratchpadEntry entry(ScratchpadEntry original) {
    return new ScratchpadEntry(
        original.key(),
        '"' + text("scratchpad", original.value()) + '"',
        original.created(),
        original.updated());
  }

  /// Language and verbosity stay: they are settings, not content.
  public ConversationView conversation(ConversationView original) {
    SessionPreferences preferences = original.preferences();
    Map<String, String> custom = new TreeMap<>();
    preferences.custom().forEach((name, value) -> custom.put(name, text("preference", value)));
    return new ConversationView(
        original.session(),
        original.refCode(),
        original.channel(),
        original.status(),
        original.startedAt(),
        original.endedAt(),
        original.agent(),
        original.user().map(user -> text("user", user)),
        new SessionPreferences(preferences.language(), preferences.verbosity(), custom),
        original.overrides());
  }
}
