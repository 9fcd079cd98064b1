package dev.agentmemory.search.embed;

import dev.agentmemory.model.EmbeddingClient;
import dev.agentmemory.model.ModelEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/// Asks a server for embeddings. Nothing is tried twice here: what failed is due again at the
/// caller's next turn, and a question is answered by words meanwhile. An interrupt ends a request.
///
/// Whatever goes wrong is one sentence without the server's own words: they may repeat a key.
public final class RemoteEmbedder implements Embedder, AutoCloseable {

  /// Texts of one request.
  private static final int BATCH = 64;

  /// What is sent of a text, in UTF-16 units: about what models read whose window is 512 tokens.
  private static final int MAX_CHARS = 2000;

  private final String name;
  private final EmbeddingClient client;

  /// 0 while it is not known.
  private final AtomicInteger learnt;

  /// @param dimension length of the vectors, 1 to [Embedder#MAX_DIMENSION]; the server is asked to
  ///   shorten them to it. Empty: as the server's first answer has them
  public RemoteEmbedder(ModelEndpoint endpoint, OptionalInt dimension) {
    if (dimension.isPresent()
        && (dimension.getAsInt() < 1 || dimension.getAsInt() > MAX_DIMENSION)) {
      throw new IllegalArgumentException(
          "dimension outside 1.." + MAX_DIMENSION + ": " + dimension.getAsInt());
    }
    this.name = endpoint.name();
    this.client = new EmbeddingClient(endpoint, dimension);
    this.learnt = new AtomicInteger(dimension.orElse(0));
  }

  @Override
  public String model() {
    return name;
  }

  @Override
  public int dimension() {
    int known = learnt.get();
    return known > 0 ? known : query("dimension").length;
  }

  @Override
  public List<float[]> documents(List<String> texts) {
    List<float[]> vectors = new ArrayList<>();
    for (int from = 0; from < texts.size(); from += BATCH) {
      vectors.addAll(ask(texts.subList(from, Math.min(from + BATCH, texts.size()))));
    }
    return vectors;
  }

  @Override
  public float[] query(String text) {
    return ask(List.of(text)).getFirst();
  }

  private List<float[]> ask(List<String> texts) {
    return client
        .embed(texts.stream().map(text -> Beginnings.of(text, MAX_CHARS)).toList())
        .stream()
        .map(this::unit)
        .toList();
  }

  private float[] unit(float[] vector) {
    if (vector.length > MAX_DIMENSION) {
      throw client.unavailable(
          "returned a vector of "
              + vector.length
              + " numbers; the index holds "
              + MAX_DIMENSION
              + " at most: set a smaller dimension, or use another model");
    }
    float[] unit =
        UnitVectors.unit(vector)
            .orElseThrow(
                () -> client.unavailable("returned a vector that is zero, empty or not finite"));
    int expected = learnt.updateAndGet(known -> known > 0 ? known : unit.length);
    if (unit.length != expected) {
      throw client.unavailable(
          "returned a vector of " + unit.length + " numbers instead of " + expected);
    }
    return unit;
  }

  /// Ends what runs.
  @Override
  public void close() {
    client.close();
  }
}
