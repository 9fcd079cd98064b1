/// The table of contents: its nodes, their versions, what was found in them.
@NullMarked
package dev.agentmemory.api.contents;

import org.jspecify.annotations.NullMarked;
