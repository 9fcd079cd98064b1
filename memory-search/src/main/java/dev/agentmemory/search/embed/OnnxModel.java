package dev.agentmemory.search.embed;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// bge-small-en-v1.5 with 8-bit weights, loaded: about 150 MB outside the heap, more while it runs.
/// Any thread may use it; several run side by side, each on its own thread.
///
/// The runtime is used directly, as the library that ships the model neither bounds its threads nor
/// lets go of its memory.
final class OnnxModel implements AutoCloseable {

  static final String NAME = "bge-small-en-v1.5-q";

  static final int DIMENSION = 384;

  /// What the model was trained to read at once, in its own tokens. What is behind is cut.
  private static final String MAX_TOKENS = "512";

  /// What its tokenizer makes of a character that it does not know.
  private static final String UNKNOWN = "[UNK]";

  /// Of so many tokens one may be unknown.
  private static final int UNKNOWN_SHARE = 4;

  private static final int CHUNK = 1 << 16;

  private final OrtEnvironment environment;
  private final OrtSession session;
  private final HuggingFaceTokenizer tokenizer;

  private OnnxModel(
      OrtEnvironment environment, OrtSession session, HuggingFaceTokenizer tokenizer) {
    this.environment = environment;
    this.session = session;
    this.tokenizer = tokenizer;
  }

  /// Takes some tenths of a second.
  ///
  /// @param libraries folder for native libraries; empty to leave it to the libraries
  /// @throws MemoryException `MODEL_UNAVAILABLE` when its files or the native libraries cannot be
  ///   used
  static OnnxModel load(Optional<Path> libraries) {
    try {
      if (libraries.isPresent()) {
        OnnxLibraries.unpackInto(libraries.get());
      }
      return loaded();
    } catch (IOException | OrtException | RuntimeException | LinkageError e) {
      throw unavailable("cannot be loaded", e);
    }
  }

  private static OnnxModel loaded() throws IOException, OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    OrtSession session = session(environment);
    try (InputStream file = open(NAME + "-tokenizer.json").getInputStream()) {
      Map<String, String> options =
          Map.of("padding", "false", "truncation", "true", "maxLength", MAX_TOKENS);
      return new OnnxModel(environment, session, HuggingFaceTokenizer.newInstance(file, options));
    } catch (IOException | RuntimeException | Error e) {
      close(session);
      throw e;
    }
  }

  /// The file goes through memory outside the heap, which is given back at once: in the heap it
  /// would leave a hole of its size.
  private static OrtSession session(OrtEnvironment environment) throws IOException, OrtException {
    URLConnection file = open(NAME + ".onnx");
    try (Arena arena = Arena.ofConfined();
        InputStream in = file.getInputStream();
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      ByteBuffer bytes = arena.allocate(file.getContentLengthLong()).asByteBuffer();
      byte[] chunk = new byte[CHUNK];
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        bytes.put(chunk, 0, read);
      }
      // One text on one thread: two texts side by side are done sooner than one after the other on
      // two threads each, and idle threads of the runtime would spin.
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      // What a long text has taken is given back, instead of being kept for the next one.
      options.setCPUArenaAllocator(false);
      return environment.createSession(bytes.flip(), options);
    }
  }

  private static URLConnection open(String name) throws IOException {
    URL found = OnnxModel.class.getClassLoader().getResource(name);
    if (found == null) {
      throw new FileNotFoundException(name + " is not on the class path");
    }
    URLConnection connection = found.openConnection();
    connection.setUseCaches(false);
    return connection;
  }

  /// @param text not blank; without half characters
  /// @return a vector of length 1
  /// @throws MemoryException `MODEL_UNAVAILABLE` when the runtime fails
  float[] embed(String text) {
    Encoding tokens = tokenizer.encode(text, true, false);
    long[] shape = {1, tokens.getIds().length};
    try (OnnxTensor ids = tensor(tokens::getIds, shape);
        OnnxTensor mask = tensor(tokens::getAttentionMask, shape);
        OnnxTensor types = tensor(tokens::getTypeIds, shape);
        OrtSession.Result result =
            session.run(
                Map.of("input_ids", ids, "attention_mask", mask, "token_type_ids", types))) {
      // The model was trained so that its first token stands for the whole text.
      FloatBuffer states = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] vector = new float[DIMENSION];
      states.get(vector);
      return UnitVectors.unit(vector).orElseThrow();
    } catch (OrtException e) {
      throw unavailable("failed", e);
    }
  }

  /// Whether at most one of [#UNKNOWN_SHARE] words or characters of a text is unknown to it.
  boolean reads(String text) {
    String[] tokens = tokenizer.encode(text, false, false).getTokens();
    long unknown = Arrays.stream(tokens).filter(UNKNOWN::equals).count();
    return unknown * UNKNOWN_SHARE <= tokens.length;
  }

  private static MemoryException unavailable(String what, Throwable why) {
    return new MemoryException(
        ErrorCode.MODEL_UNAVAILABLE, "the embedding model " + what + ": " + why.getMessage(), why);
  }

  private OnnxTensor tensor(Supplier<long[]> values, long[] shape) throws OrtException {
    return OnnxTensor.createTensor(environment, LongBuffer.wrap(values.get()), shape);
  }

  /// Frees the memory. The model must not be in use, or be used later.
  @Override
  public void close() {
    tokenizer.close();
    close(session);
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new AssertionError("a session is closed once", e);
    }
  }
}
