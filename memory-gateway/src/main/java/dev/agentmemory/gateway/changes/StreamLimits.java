package dev.agentmemory.gateway.changes;

import java.time.Duration;

/// Bounds of the streams of changes.
///
/// @param streams that are open at the same time
/// @param ofToken of these with the same token
/// @param look how often it is looked for changes
/// @param heartbeat after which something is sent although nothing was changed; that a client has
///   gone is seen only then, and each page that is loaded anew leaves such a one behind
/// @param unread how long a client may leave unread what was sent; then it is cut off
public record StreamLimits(
    int streams, int ofToken, Duration look, Duration heartbeat, Duration unread) {

  public static final StreamLimits DEFAULT =
      new StreamLimits(
          32, 16, Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(10));
}
