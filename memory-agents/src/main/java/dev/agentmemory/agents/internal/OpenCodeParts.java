package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The parts of OpenCode's messages; its plugin, its export and its database have the same ones.
public final class OpenCodeParts {

  private OpenCodeParts() {}

  /// What a person wrote; parts that the program adds are marked as synthetic.
  public static String prompt(JsonNode parts) {
    List<String> texts = new ArrayList<>();
    for (JsonNode one : parts) {
      var part = PayloadFields.of(one);
      if (part.text("type").equals("text") && !part.flag("synthetic") && !part.flag("ignored")) {
        texts.add(part.text("text"));
      }
    }
    return String.join("\n", texts);
  }

  /// Whether a part is a text of the assistant that is complete. Parts of prompts have no times.
  public static boolean isAnswer(PayloadFields part) {
    return part.text("type").equals("text")
        && part.at("time").has("end")
        && !part.flag("synthetic");
  }

  public static Optional<Event> answer(TurnContext turn, TurnIds ids, PayloadFields part) {
    return TurnEvents.answer(
        turn, ids.answer(part.text("id"), ""), CapturedText.said(part.text("text")));
  }

  /// A call of a tool that is over.
  ///
  /// @param unrecorded when what a tool was called with is left out
  public static Optional<ToolTurn> tool(PayloadFields part, Predicate<Instant> unrecorded) {
    PayloadFields state = part.at("state");
    String status = state.text("status");
    boolean failed = status.equals("error");
    if (!part.text("type").equals("tool") || !(failed || status.equals("completed"))) {
      return Optional.empty();
    }
    JsonNode exit = state.at("metadata").node("exit");
    ToolTurn tool =
        ToolTurn.of(
            part.text("tool"),
            part.text("callID"),
            state.node("input"),
            ToolTexts.result(state.node(failed ? "error" : "output")),
            failed || (exit.isInt() && exit.asInt() != 0));
    boolean recorded = state.at("time").time("start").filter(unrecorded).isEmpty();
    return Optional.of(recorded ? tool : tool.withoutInput());
  }
}
