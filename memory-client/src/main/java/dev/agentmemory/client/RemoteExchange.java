package dev.agentmemory.client;

import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.client.internal.unary.GrpcTransport;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.ExportMemoriesResponse;
import dev.agentmemory.proto.ImportMemoriesRequest;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.wire.UpkeepMessages;
import io.grpc.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Exports and imports of a daemon, over streams.
///
/// @param streams the channel for streams, to a daemon that responds
record RemoteExchange(Supplier<Channel> streams, CallFailures failures, Deadlines deadlines)
    implements Exchange {

  /// Bytes of the lines of a message. A longer line is a message by itself.
  private static final long MESSAGE_BYTES = 4L << 20;

  @Override
  public void export(ExportRequest request, Consumer<String> lines) {
    new ResponseStream<ExportMemoriesRequest, ExportMemoriesResponse>(failures, deadlines.silence())
        .run(
            streams.get(),
            RecallServiceGrpc.getExportMemoriesMethod(),
            UpkeepMessages.toWire(request),
            message -> message.getLinesList().forEach(lines));
  }

  @Override
  public ImportReport importLines(long firstLine, List<String> lines) {
    var calls = new Calls(new GrpcTransport(streams.get()), failures, deadlines);
    ImportReport report = ImportReport.NONE;
    int sent = 0;
    while (sent < lines.size()) {
      int end = end(lines, sent);
      ImportMemoriesRequest request =
          ImportMemoriesRequest.newBuilder()
              .setFirstLine(firstLine + sent)
              .addAllLines(lines.subList(sent, end))
              .build();
      report =
          report.plus(
              UpkeepMessages.fromWire(
                  calls.work(RecallServiceGrpc.getImportMemoriesMethod(), request)));
      sent = end;
    }
    return report;
  }

  /// Where a message ends that begins at a line.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when a line cannot be written as
  ///   UTF-8
  private static int end(List<String> lines, int start) {
    long bytes = 0;
    for (int i = start; i < lines.size(); i++) {
      WellFormed.check("lines", lines.get(i));
      bytes += lines.get(i).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MESSAGE_BYTES && i > start) {
        return i;
      }
    }
    return lines.size();
  }
}
