/// Between the wire and the program's own types. Every mapper is total and pure: what comes from
/// the wire is either a valid value or a [dev.agentmemory.types.MemoryException] that names the
/// field.
@NullMarked
package dev.agentmemory.wire;

import org.jspecify.annotations.NullMarked;
