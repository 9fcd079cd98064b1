package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.conversation.RecordedScratchpads;
import dev.agentmemory.recall.exchange.ImportTally.Outcome;
import dev.agentmemory.recall.exchange.ImportedLine.OfMemories;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Imports the lines of one call. Channels and conversations come first, so that memories find
/// them; memories are written in one commit for each collection.
final class ImportRun {

  private final ExchangeWorkspace workspace;
  private final ImportTally tally;
  private final MemoryRestore ofWorkspace;
  private final Supplier<Optional<MemoryRestore>> openAccount;
  private Optional<MemoryRestore> ofAccount = Optional.empty();
  private final List<Runnable> later = new ArrayList<>();

  ImportRun(
      RecallServices services,
      ExchangeWorkspace workspace,
      AccountMemories account,
      ImportTally tally) {
    this.workspace = workspace;
    this.tally = tally;
    this.ofWorkspace = new MemoryRestore(services, workspace.memories(), Optional.empty(), tally);
    this.openAccount =
        () ->
            account
                .writable()
                .map(memories ->
                    new MemoryRestore(
                        services, memories, Optional.of(workspace.memories()), tally));
  }

  /// Takes a line. A memory or an entry of a scratchpad is stored by [#finish].
  void add(long number, Supplier<ImportedLine> reading) {
    List<ImportedLine> read = new ArrayList<>();
    try {
      read.add(reading.get());
    } catch (MemoryException | IllegalArgumentException e) {
      tally.count(
          number,
          () -> {
            throw e;
          });
    }
    read.forEach(line -> take(number, line));
  }

  private void take(long number, ImportedLine line) {
    switch (line) {
      case ImportedLine.OfChannel(Channel channel) -> tally.count(number, () -> restore(channel));
      case ImportedLine.OfConversation(var conversation) ->
          tally.count(number, () -> outcome(workspace.conversations().restore(conversation)));
      case ImportedLine.OfScratchpad(SessionId session, ScratchpadEntry entry) ->
          later.add(() -> tally.count(number, () -> restore(session, entry)));
      case OfMemories memories -> take(number, memories);
    }
  }

  private void take(long number, OfMemories line) {
    if (line.ofAccount() && ofAccount.isEmpty()) {
      ofAccount = openAccount.get();
    }
    Optional<MemoryRestore> restore = line.ofAccount() ? ofAccount : Optional.of(ofWorkspace);
    if (restore.isEmpty()) {
      tally.skip(number, "is of scope account; there is no store of the account");
    } else {
      restore.get().add(number, inChannelOfSession(line));
    }
  }

  /// A memory of another program belongs to the channel of its session.
  private OfMemories inChannelOfSession(OfMemories line) {
    return switch (line) {
      case ImportedLine.OfMemory(MemoryRecord memory, boolean foreign) when foreign ->
          new ImportedLine.OfMemory(
              memory.withPlace(inChannelOfSession(memory.place())), /* foreign= */ true);
      case ImportedLine.OfMemory _,
          ImportedLine.OfState _,
          ImportedLine.OfMerge _,
          ImportedLine.OfTombstone _ ->
          line;
    };
  }

  private MemoryPlace inChannelOfSession(MemoryPlace place) {
    Optional<ChannelName> channel = place.session().flatMap(workspace.conversations()::channel);
    return channel.map(place::moved).orElse(place);
  }

  private Outcome restore(Channel channel) {
    if (workspace.channels().restore(channel)) {
      return Outcome.IMPORTED;
    }
    if (workspace.channels().isKnown(channel)) {
      return Outcome.KNOWN;
    }
    throw new MemoryException(
        ErrorCode.CONFLICT,
        "channel %s has another description here; change it with `memory channels describe`"
            .formatted(channel.name()));
  }

  private Outcome restore(SessionId session, ScratchpadEntry entry) {
    RecordedScratchpads pads = workspace.conversations().scratchpads();
    if (pads.restore(session, entry)) {
      return Outcome.IMPORTED;
    }
    if (pads.isKnown(session, entry)) {
      return Outcome.KNOWN;
    }
    throw new MemoryException(
        ErrorCode.CONFLICT,
        "the scratchpad of session %s has another value with this key; clear it first"
            .formatted(session));
  }

  private static Outcome outcome(boolean changed) {
    return changed ? Outcome.IMPORTED : Outcome.KNOWN;
  }

  ImportReport finish() {
    ofWorkspace.run();
    ofAccount.ifPresent(MemoryRestore::run);
    later.forEach(Runnable::run);
    return tally.report();
  }
}
