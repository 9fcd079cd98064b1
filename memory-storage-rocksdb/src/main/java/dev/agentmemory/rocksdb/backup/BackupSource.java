package dev.agentmemory.rocksdb.backup;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// The files to back up. They must not change meanwhile.
///
/// @param store the directory of a checkpoint or of a closed store
/// @param index files of the search index; empty when it is left out
/// @param origin the directory of the store itself, for messages about damage
/// @param at when the backup began
/// @param program the version that makes it
/// @param minFree bytes that must stay free on the disk of the backup
public record BackupSource(
    Path store, Optional<Path> index, Path origin, Instant at, String program, long minFree) {}
