package dev.agentmemory.testkit.bytes;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// Looks for texts in all files below directories: the bytes of each file and its name, and what
/// table files, logs, segments of the search index and compressed files contain once decoded. A
/// file is recognised by its content, as backups name files differently. It changes nothing and
/// takes no lock, so it can read the directory of a running daemon, too.
///
/// A text is found as it is, whatever the case of ASCII letters. The search index contains single
/// words only, shortened to their stems. So choose a word that occurs nowhere else and is its own
/// stem. Vectors are numbers, in which no text can be found.
public final class ByteScanner {

  private static final int SLICE = 4 << 20;
  private static final int PLACES = 20;
  private static final String SEGMENT = ".si";
  private static final int GZIP = 0x1F8B0800;
  private static final int GZIP_MASK = 0xFFFFFF00;
  private static final int ZSTD = 0x28B52FFD;

  private final Needles needles;
  private final Map<String, Map<String, Long>> counts = new HashMap<>();
  private final List<FoundText> found = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private final List<Path> gone = new ArrayList<>();
  private int files;
  private long bytes;

  private ByteScanner(Collection<String> texts) {
    needles = new Needles(texts);
    texts.forEach(text -> counts.put(text, new TreeMap<>()));
  }

  /// Looks for texts.
  ///
  /// @param needles at least one, each of 8 bytes or more
  /// @param roots directories or files; one that does not exist has no files
  /// @throws IllegalArgumentException for a text that is too short
  public static ScanResult scan(Collection<String> needles, Path... roots) throws IOException {
    var scanner = new ByteScanner(needles);
    for (Path root : roots) {
      scanner.walk(root);
    }
    return new ScanResult(
        scanner.counts, scanner.found, scanner.unread, scanner.gone, scanner.files, scanner.bytes);
  }

  private void walk(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            name(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            name(file);
            if (attributes.isRegularFile()) {
              file(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            failed(file, e);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void failed(Path file, IOException e) {
    if (e instanceof NoSuchFileException || !Files.exists(file)) {
      gone.add(file);
    } else {
      unread.add(file + ": " + e);
    }
  }

  private void name(Path path) {
    byte[] name = String.valueOf(path.getFileName()).getBytes(StandardCharsets.UTF_8);
    search(path, "name", "name of the file", name);
  }

  private void file(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      files++;
      bytes += search(file, "bytes", in);
      decode(file);
    } catch (IOException e) {
      failed(file, e);
    }
  }

  private void decode(Path file) throws IOException {
    var decoded =
        new Decoded() {
          @Override
          public void bytes(String kind, String place, byte[] content) {
            search(file, kind, place, content);
          }

          @Override
          public void unread(String why) {
            unread.add(file + ": " + why);
          }
        };
    if (TableBlocks.isTable(file)) {
      TableBlocks.read(file, decoded);
    } else if (file.toString().endsWith(SEGMENT)) {
      LuceneSegments.read(file, decoded);
    } else if (LogFragments.isLog(file)) {
      LogFragments.read(file, decoded);
    } else {
      unpack(file);
    }
  }

  private void unpack(Path file) throws IOException {
    int magic;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(Integer.BYTES);
      magic = head.length < Integer.BYTES ? 0 : ByteBuffer.wrap(head).getInt();
    }
    boolean gzip = (magic & GZIP_MASK) == GZIP;
    if (gzip || magic == ZSTD) {
      try (InputStream raw = Files.newInputStream(file);
          InputStream in = gzip ? new GZIPInputStream(raw) : new ZstdInputStream(raw)) {
        search(file, "unpacked bytes", in);
      }
    }
  }

  private void search(Path file, String kind, String place, byte[] content) {
    needles.search(content, 0, content.length, (pattern, at) -> found(pattern, file, kind, place));
  }

  private void found(Needles.Pattern pattern, Path file, String kind, String place) {
    long count =
        counts.computeIfAbsent(pattern.needle(), _ -> new TreeMap<>()).merge(kind, 1L, Long::sum);
    if (count <= PLACES) {
      found.add(new FoundText(pattern.needle(), pattern.form(), file, kind, place));
    }
  }

  /// Reads all of a stream.
  ///
  /// @return how many bytes it has
  private long search(Path file, String kind, InputStream in) throws IOException {
    // What ends in the next slice is searched again with it.
    int overlap = needles.longest() - 1;
    byte[] slice = new byte[SLICE + overlap];
    long start = 0;
    int kept = 0;
    boolean last = false;
    while (!last) {
      int length = kept + in.readNBytes(slice, kept, slice.length - kept);
      last = length < slice.length;
      int end = last ? length : length - overlap;
      long base = start;
      needles.search(
          slice,
          0,
          length,
          (pattern, at) -> {
            if (at < end) {
              found(pattern, file, kind, "offset " + (base + at));
            }
          });
      kept = length - end;
      System.arraycopy(slice, end, slice, 0, kept);
      start += end;
    }
    return start;
  }
}
