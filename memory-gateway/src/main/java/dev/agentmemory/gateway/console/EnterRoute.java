package dev.agentmemory.gateway.console;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.Admission;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// `POST /console/enter`: takes the code that the page of an [EntryFile] posts, and answers with
/// the page of the console and a key in it. With any other text it is that page without a key,
/// which says what to do.
record EnterRoute(ConsoleKeys keys, EntryCodes codes, PageFiles files) implements Route {

  private static final int MOST_BYTES = 256;
  private static final String FIELD = "code=";

  @Override
  public String prefix() {
    return "/console/enter";
  }

  @Override
  public long mostBytes() {
    return MOST_BYTES;
  }

  @Override
  public Admission admission() {
    return Admission.SECRET;
  }

  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    if (!call.method().equals("POST")) {
      return CompletableFuture.completedFuture(
          ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only POST is served"));
    }
    String body = call.text();
    Optional<EntryCodes.Entry> entry =
        body.startsWith(FIELD) ? codes.take(body.substring(FIELD.length())) : Optional.empty();
    return CompletableFuture.completedFuture(
        entry.map(this::entered).orElseGet(() -> files.pageWith(403, Map.of())));
  }

  private HttpReply entered(EntryCodes.Entry entry) {
    entry.file().remove();
    Map<String, String> values = new TreeMap<>(Map.of("memory-key", keys.draw(entry.token())));
    entry.workspace().ifPresent(name -> values.put("memory-workspace", name.value()));
    return files.pageWith(200, values);
  }
}
