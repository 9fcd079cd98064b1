/// Reading a store that several workspaces share: as one of them, which sees nothing of the others,
/// or as a whole.
@NullMarked
package dev.agentmemory.toc.shared;

import org.jspecify.annotations.NullMarked;
