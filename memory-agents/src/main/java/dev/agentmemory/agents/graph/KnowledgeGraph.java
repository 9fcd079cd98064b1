package dev.agentmemory.agents.graph;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.EventIdentity;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.List;

/// The file of the reference knowledge-graph server, one JSON object per line:
///
/// ```
/// {"type":"entity","name":"billing","entityType":"service","observations":["uses Postgres"]}
/// {"type":"relation","from":"billing","to":"ledger","relationType":"writes to"}
/// ```
///
/// Each observation and each relation becomes a long-term memory whose id is derived from its
/// words, so that a second import changes nothing.
public final class KnowledgeGraph {

  private static final int MOST_BYTES = MemoryContent.MAX_BYTES / 2;

  private KnowledgeGraph() {}

  /// The memories of a line; none when it is no entity with observations and no relation.
  public static List<MemoryDraft> read(String line) {
    return PayloadFields.parse(line).map(KnowledgeGraph::read).orElse(List.of());
  }

  private static List<MemoryDraft> read(PayloadFields line) {
    List<MemoryDraft> drafts = new ArrayList<>();
    switch (line.text("type")) {
      case "entity" -> {
        String type = line.text("entityType");
        String name = line.text("name") + (type.isEmpty() ? "" : " (" + type + ")");
        for (JsonNode observation : line.node("observations")) {
          add(drafts, name.strip(), ": ", observation.asText());
        }
      }
      case "relation" ->
          add(
              drafts,
              line.text("from"),
              " ",
              (line.text("relationType") + " " + line.text("to")).strip());
      default -> {}
    }
    return drafts;
  }

  private static void add(List<MemoryDraft> drafts, String subject, String mark, String said) {
    String clean = CapturedText.cut(CapturedText.said(said), MOST_BYTES);
    if (subject.isBlank() || clean.isBlank()) {
      return;
    }
    String text = CapturedText.cut(CapturedText.valid(subject), 500) + mark + clean;
    drafts.add(
        MemoryDraft.builder(MemoryContent.of(text))
            .id(new MemoryId(EventIdentity.of("memory-jsonl", text)))
            .lifetime(MemoryLifetime.LONG_TERM)
            .source("knowledge graph")
            .build());
  }
}
