package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options that say what changes in a memory.
final class MemoryChangeOptions {

  @Parameters(index = "0", paramLabel = "ID", description = "Id of the memory.")
  private String id = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "TEXT",
      description = "New text; - reads standard input.")
  private List<String> words = List.of();

  @Mixin private ContentOptions structure = new ContentOptions();

  @Option(names = "--importance", paramLabel = "N", description = "Importance, 0 to 1.")
  private Optional<Double> importance = Optional.empty();

  @Option(
      names = "--lifetime",
      paramLabel = "LIFETIME",
      description = "Lifetime: short_term, long_term or conversation.")
  private Optional<MemoryLifetime> lifetime = Optional.empty();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Kind: observation, conversation, decision, finding or preference.")
  private Optional<MemoryKind> kind = Optional.empty();

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      split = ",",
      description = "Tag, in place of all former ones; can be repeated.")
  private List<String> tags = List.of();

  @Option(names = "--no-tags", description = "Remove all tags.")
  private boolean noTags;

  @Option(
      names = "--reference",
      paramLabel = "ID",
      split = ",",
      description = "Memory that it refers to, in place of all former ones; can be repeated.")
  private List<String> references = List.of();

  @Option(names = "--no-references", description = "Remove all references.")
  private boolean noReferences;

  MemoryId id() {
    return MemoryNames.id("ID", id);
  }

  /// @throws MemoryException `INVALID_FIELD` naming the argument or option
  MemoryUpdate update(InputStream input) {
    if (structure.isGiven() && words.isEmpty()) {
      throw MemoryException.invalid(
          "--json-content", "replaces the text, too; give the text that belongs to it");
    }
    Optional<MemoryContent> content =
        words.isEmpty() ? Optional.empty() : Optional.of(structure.content(words, input));
    var update = new MemoryUpdate(content, importance, lifetime, kind, newTags(), newReferences());
    if (update.isEmpty()) {
      throw MemoryException.invalid(
          "TEXT", "is missing, and so is every option; say what is to change");
    }
    return update;
  }

  private Optional<Set<Tag>> newTags() {
    if (noTags && !tags.isEmpty()) {
      throw MemoryException.invalid("--no-tags", "is given together with --tag; give one of them");
    }
    return noTags || !tags.isEmpty()
        ? Optional.of(MemoryNames.tags("--tag", tags))
        : Optional.empty();
  }

  private Optional<List<MemoryId>> newReferences() {
    if (noReferences && !references.isEmpty()) {
      throw MemoryException.invalid(
          "--no-references", "is given together with --reference; give one of them");
    }
    return noReferences || !references.isEmpty()
        ? Optional.of(MemoryNames.ids("--reference", references))
        : Optional.empty();
  }
}
