package dev.agentmemory.toc;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Sessions of agents as a text that a person can write and read. What stands before the first
/// header is a note. A header is a line that begins with `@ `; the lines below it, up to the next
/// header, are the text of its event, without blank lines around it.
///
/// | header | event |
/// |---|---|
/// | `@ session NAME AGENT` | none: the events below are of this session of this agent |
/// | `@ TIME start`, `@ TIME end` | the session begins or ends |
/// | `@ TIME person` | what a person typed |
/// | `@ TIME assistant` | what the agent said |
/// | `@ TIME tool NAME` | the result of a tool |
/// | `@ TIME tool NAME failed` | the same, of a tool that reports a failure |
/// | `@ TIME program` | what the program that runs the agent wrote, such as a reminder |
/// | `@ TIME compaction` | the summary that the program put in place of the conversation |
/// | `@ TIME task` | what an agent asked a subagent to do |
/// | `@ TIME subagent NAME` | a subagent has started, whose session has that name |
///
/// A time is an instant, or the time since the event before it in the file, such as `+40s` or
/// `+2h5m`.
final class SessionFile {

  private static final Pattern HEADER = Pattern.compile("^@ ", Pattern.MULTILINE);
  private static final Pattern SPACE = Pattern.compile(" ");

  private final List<Event> events = new ArrayList<>();
  private SessionId session = new SessionId("unnamed");
  private String agent = "unnamed";
  private Instant time = Instant.EPOCH;

  private SessionFile() {}

  /// The events in the order of the file; their positions count from 1.
  static List<Event> read(Path file) throws IOException {
    var read = new SessionFile();
    HEADER.splitAsStream(Files.readString(file)).skip(1).forEach(read::block);
    return read.events;
  }

  /// A header without its mark, and the text below it.
  private void block(String block) {
    int line = block.indexOf('\n');
    List<String> words = SPACE.splitAsStream(block.substring(0, line)).toList();
    if (words.getFirst().equals("session")) {
      session = new SessionId(words.get(1));
      agent = words.get(2);
      return;
    }
    String moment = words.getFirst();
    time =
        moment.startsWith("+")
            ? time.plus(Duration.parse("PT" + moment.substring(1)))
            : Instant.parse(moment);
    events.add(event(words, block.substring(line).strip()));
  }

  private Event event(List<String> words, String text) {
    return switch (words.get(1)) {
      case "start" -> event(EventType.SESSION_START, EventRole.SYSTEM, text, Map.of());
      case "end" -> event(EventType.SESSION_END, EventRole.SYSTEM, text, Map.of());
      case "person" ->
          event(EventType.USER_MESSAGE, EventRole.USER, text, Map.of("origin", "person"));
      case "assistant" -> event(EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, text, Map.of());
      case "tool" -> event(EventType.TOOL_RESULT, EventRole.TOOL, text, tool(words));
      case "program" ->
          event(EventType.USER_MESSAGE, EventRole.SYSTEM, text, Map.of("origin", "program"));
      case "compaction" ->
          event(EventType.USER_MESSAGE, EventRole.SYSTEM, text, Map.of("kind", "compaction"));
      case "task" ->
          event(EventType.USER_MESSAGE, EventRole.SYSTEM, text, Map.of("origin", "agent"));
      case "subagent" ->
          event(
              EventType.SUBAGENT_START,
              EventRole.SYSTEM,
              text,
              Map.of("child_session", words.get(2)));
      default -> throw new IllegalArgumentException("unknown header: " + words);
    };
  }

  private Event event(EventType type, EventRole role, String text, Map<String, String> metadata) {
    int position = events.size() + 1;
    byte[] random =
        ByteBuffer.allocate(10).putInt(session.value().hashCode()).putInt(position).array();
    return new Event(
        new EventId(new Ulid(time.toEpochMilli(), random).toString()),
        session,
        time,
        type,
        role,
        text,
        metadata,
        Optional.of(agent),
        position);
  }

  private static Map<String, String> tool(List<String> words) {
    return words.size() > 3
        ? Map.of("tool", words.get(2), words.get(3), "true")
        : Map.of("tool", words.get(2));
  }
}
