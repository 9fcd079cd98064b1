package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// The events of a call that passed a check, and a receipt for each of the others.
final class CheckedEvents {

  private final List<Event> passed = new ArrayList<>();
  private final Map<Integer, Receipt.Refused> refused = new TreeMap<>();

  private CheckedEvents() {}

  /// @param check returns the event to store, or fails with `INVALID_FIELD`
  static CheckedEvents of(List<Event> events, UnaryOperator<Event> check) {
    var checked = new CheckedEvents();
    for (int i = 0; i < events.size(); i++) {
      try {
        checked.passed.add(check.apply(events.get(i)));
      } catch (MemoryException e) {
        e.rethrowUnless(ErrorCode.INVALID_FIELD);
        checked.refused.put(i, new Receipt.Refused(events.get(i).id(), e));
      }
    }
    return checked;
  }

  List<Event> passed() {
    return passed;
  }

  /// One receipt for each event of the call, in order.
  ///
  /// @param ofPassed one for each event that passed
  List<Receipt> receipts(List<Receipt> ofPassed) {
    if (ofPassed.size() != passed.size()) {
      throw new AssertionError(passed.size() + " events have receipts " + ofPassed);
    }
    if (refused.isEmpty()) {
      return ofPassed;
    }
    var all = new ArrayList<>(ofPassed);
    // Inserted in ascending order, so each gets its index in the call.
    refused.forEach(all::add);
    return all;
  }
}
