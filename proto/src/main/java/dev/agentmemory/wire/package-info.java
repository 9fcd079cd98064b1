/// Maps between protobuf messages and the program's own types. Every mapper is total and pure: a
/// message is mapped to a valid value or to a [dev.agentmemory.types.MemoryException] that names
/// the field.
@NullMarked
package dev.agentmemory.wire;

import org.jspecify.annotations.NullMarked;
