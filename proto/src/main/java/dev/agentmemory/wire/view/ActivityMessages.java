package dev.agentmemory.wire.view;

import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.proto.ActivityDay;
import dev.agentmemory.proto.ActivityPart;
import dev.agentmemory.proto.GetActivityRequest;
import dev.agentmemory.proto.GetActivityResponse;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.FieldNames;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/// Maps counts of events by day.
public final class ActivityMessages {

  private ActivityMessages() {}

  public static GetActivityRequest toWire(ActivityRequest request) {
    return GetActivityRequest.newBuilder()
        .setYear(request.year().orElse(0))
        .setNowMs(request.now().toEpochMilli())
        .build();
  }

  /// @param present the current time, for requests without one
  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ActivityRequest fromWire(GetActivityRequest message, Instant present) {
    return new ActivityRequest(
        message.getYear() == 0 ? OptionalInt.empty() : OptionalInt.of(message.getYear()),
        message.hasNowMs() ? FieldNames.time("now_ms", message.getNowMs()) : present);
  }

  public static GetActivityResponse toWire(Activity activity) {
    Activity.Count total = activity.total();
    var message =
        GetActivityResponse.newBuilder()
            .setYear(activity.year())
            .setZone(activity.zone().getId())
            .setEvents(total.events())
            .setMessages(total.messages())
            .addAllDays(activity.days().stream().map(ActivityMessages::toWire).toList())
            .setComplete(activity.complete())
            .setBehind(activity.behind());
    activity
        .years()
        .ifPresent(years -> message.setFirstYear(years.first()).setLastYear(years.last()));
    return message.build();
  }

  private static ActivityDay toWire(Activity.Day day) {
    Activity.Count total = day.total();
    return ActivityDay.newBuilder()
        .setDay(day.date().toString())
        .setEvents(total.events())
        .setMessages(total.messages())
        .addAllParts(day.parts().stream().map(ActivityMessages::toWire).toList())
        .build();
  }

  private static ActivityPart toWire(Activity.Part part) {
    var message =
        ActivityPart.newBuilder()
            .setEvents(part.count().events())
            .setMessages(part.count().messages())
            .setRest(part.rest());
    part.agent().ifPresent(message::setAgent);
    part.workspace().map(WorkspaceName::value).ifPresent(message::setWorkspace);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static Activity fromWire(GetActivityResponse message) {
    try {
      return new Activity(
          message.getYear(),
          ZoneId.of(message.getZone()),
          message.getFirstYear() == 0
              ? Optional.empty()
              : Optional.of(new Activity.Years(message.getFirstYear(), message.getLastYear())),
          message.getDaysList().stream().map(ActivityMessages::fromWire).toList(),
          message.getComplete(),
          message.getBehind());
    } catch (DateTimeException e) {
      throw MemoryException.invalid("days", "has no date or zone: " + e.getMessage());
    }
  }

  private static Activity.Day fromWire(ActivityDay day) {
    return new Activity.Day(
        LocalDate.parse(day.getDay()),
        day.getPartsList().stream().map(ActivityMessages::fromWire).toList());
  }

  private static Activity.Part fromWire(ActivityPart part) {
    return new Activity.Part(
        part.hasWorkspace() ? WorkspaceName.of(part.getWorkspace()) : Optional.empty(),
        part.hasAgent() ? Optional.of(part.getAgent()) : Optional.empty(),
        part.getRest(),
        new Activity.Count(part.getEvents(), part.getMessages()));
  }
}
