/// From events to a table of contents: cutting sessions into segments, anchoring summaries in
/// events, building and rolling up nodes, and finding one's way in them.
@NullMarked
package dev.agentmemory.toc;

import org.jspecify.annotations.NullMarked;
