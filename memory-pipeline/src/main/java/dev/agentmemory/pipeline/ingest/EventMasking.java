package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.store.Change;
import dev.agentmemory.text.secret.SecretMask;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Masks secrets in everything of an event that a caller chooses: text, keys and values of the
/// metadata, session id and agent's name.
final class EventMasking {

  private final SecretMask mask;
  private final int maxNameBytes;

  /// The last session id without a secret: consecutive events mostly have the same.
  private volatile String clean = "";

  EventMasking(IngestLimits limits) {
    this.mask = new SecretMask(limits.secretRules());
    this.maxNameBytes = limits.maxMetadataKeyBytes();
  }

  /// Appends an event without its secrets. The event as received tells whether it is a repeated
  /// one, but it is in the session in which it is stored.
  Change append(Event event) {
    Event masked = masked(event);
    return masked.equals(event)
        ? new Change.AppendEvent(event)
        : new Change.AppendEvent(masked, event.withSession(masked.session()));
  }

  /// @return the same event when nothing in it is a secret
  Event masked(Event event) {
    return content(event.withSession(session(event.session())));
  }

  /// Masks everything but the session id.
  ///
  /// @return the same event when nothing in it is a secret
  Event content(Event event) {
    Event masked = event;
    String text = mask.apply(event.text());
    Map<String, String> metadata = metadata(event.metadata());
    if (!text.equals(event.text()) || !metadata.equals(event.metadata())) {
      masked = masked.withContent(text, metadata);
    }
    String agent = event.agent().map(this::name).orElse("");
    return agent.equals(event.agent().orElse("")) ? masked : masked.withAgent(Optional.of(agent));
  }

  /// Whether the session id has a secret.
  boolean isSecret(SessionId session) {
    return !session(session).equals(session);
  }

  /// The secrets of an event apart from those of its session id.
  ///
  /// @param each receives the kind and the secret
  void forEachSecret(Event event, BiConsumer<String, String> each) {
    mask.forEachSecret(event.text(), each);
    event
        .metadata()
        .forEach((key, value) -> {
          mask.forEachSecret(key, each);
          mask.forEachSecret(key, value, each);
        });
    event.agent().ifPresent(agent -> mask.forEachSecret(agent, each));
  }

  /// The same id is always masked in the same way, so a session remains one.
  private SessionId session(SessionId session) {
    String value = session.value();
    if (value.equals(clean)) {
      return session;
    }
    String masked = name(value);
    if (!masked.equals(value)) {
      return new SessionId(masked);
    }
    clean = value;
    return session;
  }

  /// Returns the same map when nothing in it is a secret.
  private Map<String, String> metadata(Map<String, String> metadata) {
    Map<String, String> masked = new LinkedHashMap<>();
    boolean changed = false;
    for (Map.Entry<String, String> entry : metadata.entrySet()) {
      String key = name(entry.getKey());
      String value = mask.apply(entry.getKey(), entry.getValue());
      changed |= !key.equals(entry.getKey()) || !value.equals(entry.getValue());
      masked.put(free(key, metadata, masked), value);
    }
    return changed ? masked : metadata;
  }

  /// A key that no other entry has: keys can differ in a secret only.
  private static String free(String key, Map<String, String> metadata, Map<String, String> masked) {
    String free = key;
    for (int i = 2; masked.containsKey(free) || (i > 2 && metadata.containsKey(free)); i++) {
      free = key + "_" + i;
    }
    return free;
  }

  /// A mask can be longer than what it stands for.
  private String name(String name) {
    String masked = mask.apply(name);
    int end = masked.length();
    while (!masked.equals(name)
        && masked.substring(0, end).getBytes(StandardCharsets.UTF_8).length > maxNameBytes) {
      end -= Character.isLowSurrogate(masked.charAt(end - 1)) ? 2 : 1;
    }
    return masked.substring(0, end);
  }
}
