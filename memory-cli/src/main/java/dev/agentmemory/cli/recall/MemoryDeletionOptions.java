package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options that say which memories are to be deleted.
final class MemoryDeletionOptions {

  @Parameters(
      arity = "0..*",
      paramLabel = "ID",
      description = "Memories to delete; one that does not exist is ignored.")
  private List<String> ids = List.of();

  @Option(
      names = "--topic",
      paramLabel = "TAG",
      description = "Memories with this tag or a tag below it.")
  private Optional<String> topic = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Only memories that come from this session.")
  private Optional<String> session = Optional.empty();

  @Mixin private MemoryTimeOptions time = new MemoryTimeOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why, for the record that stays; at most 200 characters.")
  private String reason = "";

  /// @throws MemoryException `INVALID_FIELD` naming the argument or option
  void check() {
    time.check();
    MemoryNames.ids("ID", ids);
    MemoryNames.session("--session", session);
    topic();
    if (ids.isEmpty() && topic.isEmpty() && !time.isGiven()) {
      throw MemoryException.invalid(
          "ID", "is missing; give ids, --topic, --after, --before or --last");
    }
  }

  /// Whether it names each memory, so that no confirmation is necessary.
  boolean isExact() {
    return !ids.isEmpty();
  }

  private Optional<Tag> topic() {
    return topic.map(text -> Tag.parse("--topic", text));
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  Deletion deletion(Times times, Instant now) {
    MemoryTimeOptions.Bounds bounds = time.in(times, now);
    return new Deletion(
        Set.copyOf(MemoryNames.ids("ID", ids)),
        topic(),
        MemoryNames.session("--session", session),
        bounds.after(),
        bounds.before(),
        reason);
  }
}
