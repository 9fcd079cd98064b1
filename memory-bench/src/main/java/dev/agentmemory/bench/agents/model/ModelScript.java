package dev.agentmemory.bench.agents.model;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What the model answers, by the name that stands in a prompt. How far a script is follows from
/// the calls of tools in the request, so the same one serves every agent.
public final class ModelScript {

  private final Map<String, List<ModelReply>> replies = new ConcurrentHashMap<>();
  private final Map<String, Runnable> actions = new ConcurrentHashMap<>();

  /// @param name begins with `play-`; lower-case letters, digits and `-`
  /// @param steps all but the last one call tools
  public void add(String name, List<ModelReply> steps) {
    replies.put(name, List.copyOf(steps));
  }

  /// Runs something once, before the first reply of a script.
  public void before(String name, Runnable action) {
    actions.put(name, action);
  }

  ModelReply reply(ModelConversation request) {
    if (request.isCompaction()) {
      return ModelReply.text("<summary>We talked, and the tests pass.</summary>");
    }
    List<ModelReply> steps = replies.get(request.script());
    if (!request.hasTools() || steps == null) {
      return ModelReply.text("A conversation.");
    }
    Runnable action = actions.remove(request.script());
    if (action != null) {
      action.run();
    }
    int calls = 0;
    for (ModelReply step : steps) {
      if (request.callsSince() <= calls) {
        return step;
      }
      calls += step.calls().size();
    }
    return steps.getLast();
  }
}
