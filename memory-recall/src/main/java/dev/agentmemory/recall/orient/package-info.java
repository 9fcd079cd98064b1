/// What an agent has to know when it begins, as one document. [Orientation] makes it.
@NullMarked
package dev.agentmemory.recall.orient;

import org.jspecify.annotations.NullMarked;
