package dev.agentmemory.wire.view;

import dev.agentmemory.api.gateway.AgentCapture;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.proto.AgentCaptureState;
import dev.agentmemory.proto.GetCaptureResponse;
import dev.agentmemory.proto.SpoolState;
import dev.agentmemory.wire.WireEnums.Pair;

/// Maps whether sessions of agents are recorded.
public final class CaptureMessages {

  private static final Pair<AgentCapture.State, AgentCaptureState> STATE =
      new Pair<>(AgentCapture.State.class, AgentCaptureState.class, "AGENT_CAPTURE_STATE_");

  private CaptureMessages() {}

  public static GetCaptureResponse toWire(CaptureReport report) {
    return GetCaptureResponse.newBuilder()
        .setRecorded(report.recorded())
        .setSentence(report.sentence())
        .addAllAgents(report.agents().stream().map(CaptureMessages::toWire).toList())
        .setSpool(toWire(report.spool()))
        .build();
  }

  private static dev.agentmemory.proto.AgentCapture toWire(AgentCapture agent) {
    var message =
        dev.agentmemory.proto.AgentCapture.newBuilder()
            .setAgent(agent.agent())
            .setState(STATE.toWire(agent.state()))
            .setFound(agent.found())
            .setGood(agent.good())
            .setRemedy(agent.remedy());
    agent.lastEvent().ifPresent(time -> message.setLastEventMs(time.toEpochMilli()));
    agent.lastEventName().ifPresent(message::setLastEvent);
    agent.lastUnanswered().ifPresent(time -> message.setLastUnansweredMs(time.toEpochMilli()));
    return message.build();
  }

  private static SpoolState toWire(CaptureReport.SpoolState spool) {
    var message =
        SpoolState.newBuilder()
            .setWaiting(spool.waiting())
            .setRejected(spool.rejected())
            .setGood(spool.good())
            .setRemedy(spool.remedy());
    spool.oldest().ifPresent(time -> message.setOldestMs(time.toEpochMilli()));
    return message.build();
  }
}
