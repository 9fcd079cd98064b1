/// Search: an index that can always be made again from the log, and answers that say where they
/// come from.
@NullMarked
package dev.agentmemory.search;

import org.jspecify.annotations.NullMarked;
