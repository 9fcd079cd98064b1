package dev.agentmemory.recall.orient;

import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.recall.memory.ViewedScopes;
import dev.agentmemory.text.Graphemes;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The lines on who asks and where. The state of the conversation is not among them: it changes by
/// the mere passing of time.
final class OrientedPlace {

  /// Longest value that is shown.
  private static final int MOST_CHARS = 120;

  private final List<OrientLine> lines = new ArrayList<>();

  private OrientedPlace() {}

  static List<OrientLine> of(OrientationPorts ports, Viewer viewer) {
    Optional<ConversationView> known = viewer.session().flatMap(id -> find(ports, id));
    ChannelName channel = ViewedScopes.of(viewer, ports.channels()).channel();
    var place = new OrientedPlace();
    ports.workspace().ifPresent(name -> place.add("Workspace", name.value()));
    boolean isMissing = viewer.channel().isPresent() && !ports.channels().existing().test(channel);
    place.add("Channel", channel.value(), isMissing ? " (does not exist)" : "");
    viewer
        .session()
        .ifPresent(id ->
            place.add(
                "Conversation",
                id.value(),
                known
                    .map(view -> " (ref code " + view.refCode() + ')')
                    .orElseGet(() -> unknown(ports, id))));
    known.flatMap(ConversationView::agent).ifPresent(agent -> place.add("Agent", agent));
    known.flatMap(ConversationView::user).ifPresent(user -> place.add("User", user));
    known.map(ConversationView::preferences).ifPresent(place::add);
    return place.lines;
  }

  private static Optional<ConversationView> find(OrientationPorts ports, SessionId session) {
    try {
      return Optional.of(ports.conversations().conversation(ConversationRef.of(session)));
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.CORRUPT_RECORD) {
        e.rethrowUnless(ErrorCode.NOT_FOUND);
      }
      return Optional.empty();
    }
  }

  private static String unknown(OrientationPorts ports, SessionId session) {
    boolean hasEvents = ports.channels().channel(session).isPresent();
    return hasEvents ? " (its record cannot be read)" : " (new)";
  }

  private void add(SessionPreferences preferences) {
    preferences.language().ifPresent(language -> add("Language", language));
    preferences.verbosity().ifPresent(verbosity -> add("Verbosity", verbosity));
    // The order of an immutable map differs between processes.
    new TreeMap<>(preferences.custom()).forEach((key, value) -> add("Preference " + key, value));
  }

  private void add(String name, String value) {
    add(name, value, "");
  }

  private void add(String name, String value, String more) {
    String key = "%04d".formatted(lines.size());
    String head = OneLineText.escaped(OneLineText.of(name, MOST_CHARS)) + ": ";
    String text = Graphemes.shorten(OneLineText.of(value, 4 * MOST_CHARS), MOST_CHARS) + more;
    lines.add(
        new OrientLine(
            OrientSection.WHERE,
            "where#" + key,
            key,
            Optional.empty(),
            head,
            text,
            text.length(),
            Optional.empty()));
  }
}
