package dev.agentmemory.cli.agent.history;

import dev.agentmemory.agents.graph.KnowledgeGraph;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Imports the file of a knowledge-graph server as curated memories.
public final class GraphImport {

  private static final int BATCH = 100;

  private final Memories memories;
  private final List<MemoryDraft> waiting = new ArrayList<>();
  private long found;
  private long known;
  private long skipped;

  public GraphImport(Memories memories) {
    this.memories = memories;
  }

  /// Stores what is new of a file.
  ///
  /// @throws IOException when it cannot be read
  public GraphReply run(Path file) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<MemoryDraft> drafts = KnowledgeGraph.read(line);
        skipped += drafts.isEmpty() && !line.isBlank() ? 1 : 0;
        waiting.addAll(drafts);
        if (waiting.size() >= BATCH) {
          send();
        }
      }
    }
    send();
    return new GraphReply(found, known, skipped);
  }

  private void send() {
    found += waiting.size();
    for (int from = 0; from < waiting.size(); from += MemoryDraft.MAX_CALL) {
      remember(waiting.subList(from, Math.min(from + MemoryDraft.MAX_CALL, waiting.size())));
    }
    waiting.clear();
  }

  /// A call stores all or nothing, and a memory that was deleted since refuses it.
  private void remember(List<MemoryDraft> drafts) {
    try {
      memories.remember(drafts);
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.CONFLICT) {
        throw e;
      }
      if (drafts.size() == 1) {
        known++;
      } else {
        drafts.forEach(one -> remember(List.of(one)));
      }
    }
  }
}
