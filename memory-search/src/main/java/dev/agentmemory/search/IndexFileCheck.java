package dev.agentmemory.search;

import dev.agentmemory.search.internal.index.Generations;
import dev.agentmemory.search.memory.MemoryWords;
import dev.agentmemory.store.Finding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/// The files of an index, compared with the checksum that each of them ends with. Nothing is
/// written and no lock is taken, so a daemon may have the index open.
public final class IndexFileCheck {

  private static final String TABLE = "index";

  private final Path home;

  private IndexFileCheck(Path home) {
    this.home = home;
  }

  /// Reads every file of the last commit of every generation of an index, and of the index of
  /// memories.
  ///
  /// @param home the folder of the index; one that is not there has nothing wrong with it
  /// @return a finding for each file that cannot be read or has another content than was written
  public static List<Finding> run(Path home) {
    if (!Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    var files = new IndexFileCheck(home);
    var found = new ArrayList<Finding>();
    try {
      for (Path folder : folders(home)) {
        found.addAll(files.generation(folder));
      }
    } catch (IOException e) {
      found.add(files.finding(home, e));
    }
    return List.copyOf(found);
  }

  private static List<Path> folders(Path home) throws IOException {
    try (Stream<Path> all = Files.list(home)) {
      return all.filter(folder -> isIndex(folder.getFileName().toString())).sorted().toList();
    }
  }

  private static boolean isIndex(String name) {
    return Generations.isNumber(name) || name.equals(MemoryWords.FOLDER);
  }

  private List<Finding> generation(Path folder) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      List<Finding> found = commit(folder, directory);
      // Files that a merge has replaced meanwhile are gone; those of the newer commit are not.
      return found.isEmpty() ? found : commit(folder, directory);
    }
  }

  private List<Finding> commit(Path folder, Directory directory) throws IOException {
    SegmentInfos last;
    try {
      last = SegmentInfos.readLatestCommit(directory);
    } catch (IndexNotFoundException e) {
      // One that was just begun.
      return List.of();
    } catch (IOException | RuntimeException e) {
      return List.of(finding(folder, e));
    }
    var found = new ArrayList<Finding>();
    for (String file : last.files(/* includeSegmentsFile= */ true)) {
      try (IndexInput input = directory.openInput(file, IOContext.READONCE)) {
        var _ = CodecUtil.checksumEntireFile(input);
      } catch (IOException | RuntimeException e) {
        found.add(finding(folder.resolve(file), e));
      }
    }
    return found;
  }

  private Finding finding(Path file, Exception e) {
    return new Finding(
        TABLE,
        home.getFileName() + "/" + home.relativize(file),
        switch (e) {
          case FileNotFoundException _, NoSuchFileException _ -> "is missing";
          case CorruptIndexException corrupt ->
              "does not match its checksum: " + corrupt.getOriginalMessage();
          default -> "cannot be read: " + e.getMessage();
        });
  }
}
