package dev.agentmemory.search;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.bgesmallenv15q.BgeSmallEnV15QuantizedEmbeddingModel;
import java.util.List;
import java.util.concurrent.Executor;

/// Embeds inside this process, without network: bge-small-en-v1.5, quantised.
public final class OnnxEmbedder implements Embedder {

  /// What this model wants before a question, and not before an answer.
  private static final String QUERY = "Represent this sentence for searching relevant passages: ";

  /// What is read of a text, in UTF-16 units. A turn says at its beginning what it is about, and
  /// the time that embedding takes grows with the length; the rest is found by its words.
  private static final int MAX_CHARS = 500;

  private final BgeSmallEnV15QuantizedEmbeddingModel model;

  /// @param threads runs the texts of a batch; its size is the budget
  public OnnxEmbedder(Executor threads) {
    model = new BgeSmallEnV15QuantizedEmbeddingModel(threads);
  }

  @Override
  public String model() {
    return "bge-small-en-v1.5-q";
  }

  @Override
  public int dimension() {
    return 384;
  }

  @Override
  public List<float[]> documents(List<String> texts) {
    var segments =
        texts.stream().map(text -> TextSegment.from(text.isBlank() ? "-" : cut(text))).toList();
    return model.embedAll(segments).content().stream().map(found -> found.vector()).toList();
  }

  @Override
  public float[] query(String text) {
    return model.embed(QUERY + cut(text)).content().vector();
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(MAX_CHARS, text.length()));
  }
}
